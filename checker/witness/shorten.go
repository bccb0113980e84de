package witness

import (
	"cmp"
	"slices"

	"pnmc/internal/hashing"
	"pnmc/logic"
	"pnmc/petri"
)

// Bounds of what shortens runs: so many steps at most, and about so many arcs or tokens that are
// looked at, which takes some milliseconds. A run that needs more is shortened coarsely. Direct takes about
// 100 bytes a step.
const (
	longestShortened = 1 << 14
	longestDirected  = 1 << 16
	shorteningWork   = 1 << 22
)

// Shorten returns run without steps that it does not need. The run begins in the initial marking of
// net, and ends in a marking for which wanted reports true; so does the result. Runs that walk at
// random go astray, and nobody can read them.
//
// It shortens in four ways, cheap ones first:
//
//  1. A transition that fires many times in a row fires fewer times, found by halving (fewerTimes).
//  2. Markings that come twice are a detour: a shortest way is taken through the markings that the
//     run visits (Direct).
//  3. The run ends at the first marking that is wanted (firstWanted).
//  4. Pieces of the run are left out, large ones first, as long as it still ends as wanted (LeaveOut).
//
// For example, let the run be a, b, a', c, with a' undoing a. No marking comes twice. Leaving out a
// alone, a' cannot fire any more, and goes as well; b and c remain.
//
// The result was fired anew, and ends as wanted. If it finds no shorter run, it returns run as it
// is. Work is about what it costs to ask wanted, in nanoseconds.
func Shorten(net *petri.Net, run []Burst, wanted func(petri.Marking) bool, work int) []Burst {
	few := fewerTimes(net, run, wanted, work)
	steps, ok := singly(net, few)
	if !ok {
		return few
	}
	short := Direct(net, net.Initial(), steps)
	short = firstWanted(net, net.Initial(), short, wanted, work)
	short = LeaveOut(net, net.Initial(), short, func(_ []petri.Transition, end petri.Marking) (bool, int) {
		return wanted(end), len(end) + work
	})
	list := Bursts(firstWanted(net, net.Initial(), short, wanted, work))
	if len(list) >= len(steps) {
		return few
	}
	if m, err := ReplayRun(net, list); err != nil || !wanted(m) {
		return few
	}
	return list
}

// fewerTimes returns run with fewer firings of transitions that fire many times in a row: for each,
// one after the other, as few as the run needs, found by halving.
func fewerTimes(net *petri.Net, run []Burst, wanted func(petri.Marking) bool, work int) []Burst {
	few, tries := slices.Clone(run), shorteningWork/(1+16*len(run)+3*len(net.Initial())+work)
	for i := range few {
		low, high := int64(0), few[i].Times // high is enough
		for ; low < high && few[i].Times > 1 && tries > 0; tries-- {
			times := low + (high-low)/2
			try := slices.Clone(few)
			if try[i].Times = times; times == 0 {
				try = slices.Delete(try, i, i+1)
			}
			if m, err := ReplayRun(net, try); err == nil && wanted(m) {
				high = times
			} else {
				low = times + 1
			}
		}
		few[i].Times = max(high, 1)
	}
	if m, err := ReplayRun(net, few); err != nil || !wanted(m) {
		return run
	}
	return few
}

// ShortenPump shortens as Shorten does, a run and a loop behind it that ConfirmsPump confirms. It
// confirms the result, too.
func ShortenPump(net *petri.Net, run, loop []Burst, number logic.Polynomial) (shortRun, shortLoop []Burst) {
	before, ok := singly(net, run)
	round, whole := singly(net, loop)
	start, err := ReplayRun(net, run)
	if !ok || !whole || err != nil {
		return run, loop
	}
	pumps := func(start, end petri.Marking, round []petri.Transition) bool {
		return net.RepeatsBy(start, end, slices.Values(round)) && number.Grows(start, end)
	}
	asking := 2*net.Places() + NumberWork(number)
	round = firstWanted(net, start, round, func(end petri.Marking) bool { return pumps(start, end, round) }, len(round)+asking)
	round = LeaveOut(net, start, round, func(left []petri.Transition, end petri.Marking) (bool, int) {
		return pumps(start, end, left), len(left) + asking
	})
	before = LeaveOut(net, net.Initial(), before, func(_ []petri.Transition, end petri.Marking) (bool, int) {
		m := slices.Clone(end)
		for i, t := range round {
			if !net.Fire(m, t) {
				return false, 8*i + len(m)
			}
		}
		return pumps(end, m, round), 8*len(round) + len(m) + asking
	})
	if list, again := Bursts(before), Bursts(round); ConfirmsPump(net, list, again, number) {
		return list, again
	}
	return run, loop
}

// singly returns a run with each firing by itself; it reports false if those are too many, or not of
// the net.
func singly(net *petri.Net, run []Burst) (steps []petri.Transition, ok bool) {
	for _, b := range run {
		if int(b.Transition) >= net.Transitions() || b.Times < 1 || b.Times > longestShortened-int64(len(steps)) {
			return nil, false
		}
		for range b.Times {
			steps = append(steps, b.Transition)
		}
	}
	return steps, true
}

// firstWanted returns steps up to the first marking that is wanted, or all if that is not found
// with little work.
func firstWanted(net *petri.Net, from petri.Marking, steps []petri.Transition, wanted func(petri.Marking) bool, work int) []petri.Transition {
	m := slices.Clone(from)
	for i, t := range steps[:min(len(steps), shorteningWork/(1+len(m)+work))] {
		if wanted(m) {
			return steps[:i:i]
		}
		if !net.Fire(m, t) {
			break
		}
	}
	return steps
}

// Direct returns a shortest way to where steps lead, which fire from a marking on. It goes through
// the markings that the steps visit: between two of these by any transition, or in a large net by
// the steps themselves. Markings are told apart by a hash of 64 bits alone, which takes no memory
// for them. So the result may be wrong, and its user must fire it. Many steps are returned as they are.
func Direct(net *petri.Net, from petri.Marking, steps []petri.Transition) []petri.Transition {
	if len(steps) > longestDirected {
		return steps
	}
	d := &directing{net: net, marking: slices.Clone(from), node: map[uint64]int{0: 0}}
	path := []int{0} // the nodes of the markings on the way
	for _, t := range steps {
		d.hash += d.change(t)
		if !net.Fire(d.marking, t) {
			return steps
		}
		n, known := d.node[d.hash]
		if !known {
			n = len(d.node)
			d.node[d.hash] = n
		}
		path = append(path, n)
	}
	d.marking, d.hash, d.edges = slices.Clone(from), 0, make([][]edge, len(d.node))
	all := len(d.node)*net.Transitions() <= shorteningWork
	for i, t := range steps {
		if n := path[i]; d.edges[n] == nil {
			d.edges[n] = append(d.edges[n], edge{t, path[i+1]})
			if all {
				d.look(n)
			}
		} else if !all {
			d.edges[n] = append(d.edges[n], edge{t, path[i+1]})
		}
		d.hash += d.change(t)
		net.Fire(d.marking, t)
	}
	return d.shortest(path[len(path)-1])
}

// directing is the graph of the markings of a run, each a node by its hash.
type directing struct {
	net     *petri.Net
	marking petri.Marking
	hash    uint64         // of the marking, less that of the first
	node    map[uint64]int // by hash
	edges   [][]edge
	effect  []petri.Arc // scratch space: one slice for each firing tried would be some 100 MB of garbage
}

// edge is a firing that leads to a node.
type edge struct {
	by petri.Transition
	to int
}

// change returns what a firing adds to the hash. The hash of a marking is a sum over its places, so
// that only places that change count.
func (d *directing) change(t petri.Transition) (sum uint64) {
	part := func(p petri.Place, tokens int64) uint64 {
		return hashing.Add(hashing.Add(hashing.Golden, uint64(p)), uint64(tokens))
	}
	post := d.net.Post(t)
	for _, p := range d.net.Resets(t) {
		i, given := slices.BinarySearchFunc(post, p, func(a petri.Arc, p petri.Place) int { return cmp.Compare(a.Place, p) })
		after := int64(0)
		if given {
			after = post[i].Weight
		}
		sum += part(p, after) - part(p, d.marking[p])
	}
	d.effect = d.net.AppendEffect(d.effect[:0], t)
	for _, a := range d.effect {
		if d.net.Empties(t, a.Place) {
			continue
		}
		sum += part(a.Place, d.marking[a.Place]+a.Weight) - part(a.Place, d.marking[a.Place])
	}
	return sum
}

// look adds the edges from the present marking to others of the run.
func (d *directing) look(n int) {
	for t := range petri.Transition(d.net.Transitions()) {
		if d.net.Enabled(d.marking, t) {
			if to, known := d.node[d.hash+d.change(t)]; known {
				d.edges[n] = append(d.edges[n], edge{t, to})
			}
		}
	}
}

// shortest returns a shortest way from the first marking to another.
func (d *directing) shortest(to int) (way []petri.Transition) {
	before := make([]edge, len(d.node)) // how each node was reached
	reached := make([]bool, len(d.node))
	reached[0] = true
	for queue := []int{0}; len(queue) > 0 && !reached[to]; queue = queue[1:] {
		for _, e := range d.edges[queue[0]] {
			if !reached[e.to] {
				reached[e.to], before[e.to] = true, edge{e.by, queue[0]}
				queue = append(queue, e.to)
			}
		}
	}
	for n := to; n != 0; n = before[n].to {
		way = append(way, before[n].by)
	}
	slices.Reverse(way)
	return way
}

// LeaveOut returns steps, which fire from a marking on, without as many as it finds not to be
// needed. accepted reports whether steps will do, from what is left and the marking where they end,
// neither of which it may keep; work is what asking cost.
//
// It leaves out pieces: first each half, then each quarter, and so on down to single steps. If a
// piece goes, steps behind it that can no longer fire go as well. That is delta debugging (A.
// Zeller, R. Hildebrandt, "Simplifying and isolating failure-inducing input", IEEE Transactions on
// Software Engineering 28, 2002). The result is no shortest run, but no single step of it can be
// left out, unless the work has run out.
func LeaveOut(net *petri.Net, from petri.Marking, steps []petri.Transition, accepted func(left []petri.Transition, end petri.Marking) (ok bool, work int)) []petri.Transition {
	s := &shortening{net: net, from: from, accepted: accepted, steps: slices.Clone(steps), left: shorteningWork}
	for size := (len(s.steps) + 1) / 2; size > 0 && s.left > 0; {
		if shorter := s.pass(size); !shorter || size > 1 {
			size /= 2
		}
	}
	return s.steps
}

// shortening is a run that is being shortened.
type shortening struct {
	net      *petri.Net
	from     petri.Marking
	accepted func(left []petri.Transition, end petri.Marking) (ok bool, work int)
	steps    []petri.Transition
	left     int // work
	// scratch space of without: each try would leave a run as garbage
	rest []petri.Transition
	end  petri.Marking
}

// fire fires t in m, if it is enabled there, and reports whether it did.
func (s *shortening) fire(m petri.Marking, t petri.Transition) bool {
	s.left -= 4 + len(s.net.Pre(t)) + len(s.net.Post(t))
	return s.net.Fire(m, t)
}

// pass tries to leave out each piece of so many steps. It reports whether it left one out.
func (s *shortening) pass(size int) (shorter bool) {
	m := slices.Clone(s.from) // before the step at
	for at := 0; at < len(s.steps) && s.left > 0; {
		end := min(at+size, len(s.steps))
		if s.without(m, at, end) {
			s.steps, s.rest = s.rest, s.steps
			shorter = true
			continue
		}
		for ; at < end; at++ {
			if !s.fire(m, s.steps[at]) {
				return shorter // the run is none
			}
		}
	}
	return shorter
}

// without leaves in rest what of the steps fires without those from at to end; m is the marking before
// them. It reports whether that is accepted.
func (s *shortening) without(m petri.Marking, at, end int) bool {
	s.end = append(s.end[:0], m...)
	s.left -= len(m)
	s.rest = append(s.rest[:0], s.steps[:at]...)
	for _, t := range s.steps[end:] {
		if s.left <= 0 {
			return false
		}
		if s.fire(s.end, t) {
			s.rest = append(s.rest, t)
		}
	}
	ok, work := s.accepted(s.rest, s.end)
	s.left -= work
	return ok
}

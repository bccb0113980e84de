package view

import (
	"errors"
	"slices"

	"pnmc/automata"
	"pnmc/internal/account"
	"pnmc/internal/components"
)

// runSearch looks for an accepting run of an automaton with generalized Büchi acceptance
// over a word. The word has n letters, and the letter at loop follows the last one. Nodes
// are pairs of a position and a state, numbered by position × states + state.
//
// For example, a word of three letters whose last is followed by the second, and an automaton of
// four states, have 12 nodes. An edge of the automaton leads from a node to one at the next
// position if it reads the letter at this one. An accepting run is a lasso in that graph.
type runSearch struct {
	a       *automata.Automaton
	states  int
	n, loop int
	letters []automata.Valuation
	work    *account.Account
	left    int   // edges that may still be looked at
	err     error // why the search gave up
}

// mostLooks bounds the edges that are looked at for one run: some seconds. A run that is not
// found by then is not shown.
const mostLooks = 1 << 28

// Work that pairs take, in bytes: in the search for components, and in that for a path.
const (
	componentBytes = 48
	arrivalBytes   = 64
)

// spend counts edges that are looked at, and reports whether the search may go on.
func (s *runSearch) spend(edges int) bool {
	if s.left -= edges; s.left < 0 && s.err == nil {
		s.err = errTooLong
	}
	if s.err == nil {
		s.err = s.work.Charge(edges * account.EdgeWork)
	}
	return s.err == nil
}

var errTooLong = errors.New("a run of the automaton takes too long to find")

// successors visits the edges that a node takes, until visit says stop; none once the search
// has given up.
func (s *runSearch) successors(node int32, visit func(e automata.Edge, to int32) bool) {
	position, state := int(node)/s.states, automata.State(int(node)%s.states)
	next := position + 1
	if next == s.n {
		if s.loop < 0 {
			return
		}
		next = s.loop
	}
	first, end := s.a.Out(state)
	if !s.spend(int(end-first) + 1) {
		return
	}
	for e := first; e < end; e++ {
		if s.a.Matches(e, s.letters[position]) {
			if !visit(e, int32(next*s.states+int(s.a.Destination(e)))) {
				return
			}
		}
	}
}

// path returns a shortest way from some nodes to one that is a goal, over nodes that may be
// used: the edges, and where it ends. With atLeastOne it has a step or more.
func (s *runSearch) path(from []int32, atLeastOne bool, usable func(int32) bool, goal func(e automata.Edge, to int32) bool, isGoal func(int32) bool) (start, end int32, way []automata.Edge, ok bool) {
	type arrival struct {
		from int32
		edge automata.Edge
	}
	came := make(map[int32]arrival, 1024)
	queue := slices.Clone(from)
	if !atLeastOne {
		for _, node := range from {
			if isGoal(node) {
				return node, node, nil, true
			}
		}
	}
	origin := make(map[int32]bool)
	for _, node := range from {
		origin[node] = true
	}
	finish := func(node int32, e automata.Edge, to int32) {
		end, way, ok = to, []automata.Edge{e}, true
		for !origin[node] {
			a := came[node]
			way = append(way, a.edge)
			node = a.from
		}
		start = node
		slices.Reverse(way)
	}
	for len(queue) > 0 && !ok {
		node := queue[0]
		queue = queue[1:]
		s.successors(node, func(e automata.Edge, to int32) bool {
			if !usable(to) {
				return true
			}
			if goal(e, to) {
				finish(node, e, to)
				return false
			}
			if _, seen := came[to]; !seen && !origin[to] {
				if s.err == nil {
					s.err = s.work.Charge(arrivalBytes)
				}
				came[to] = arrival{node, e}
				queue = append(queue, to)
			}
			return true
		})
	}
	return start, end, way, ok
}

// lasso returns an accepting run: a way to a strongly connected component that has all marks, and
// a cycle in it that collects them. ok is false if there is none, and also where the search gave up,
// for a reason that err has.
//
// The cycle of the run need not begin where that of the word does, as a run may have to go round
// several times before it is in such a component. In the end it is turned, so that both begin at
// the same position: the steps up to there are moved from the cycle to the way that leads to it.
func (s *runSearch) lasso() (prefix, cycle []automata.Edge, ok bool) {
	component, good := s.components()
	if s.err != nil {
		return nil, nil, false
	}
	var from []int32
	for _, q := range s.a.Initial() {
		from = append(from, int32(q))
	}
	inGood := func(node int32) bool { return component[node] >= 0 && good[component[node]] }
	any := func(int32) bool { return true }
	_, root, prefix, ok := s.path(from, false, any, func(_ automata.Edge, to int32) bool { return inGood(to) }, inGood)
	if !ok {
		return nil, nil, false
	}
	own := component[root]
	inside := func(node int32) bool { return component[node] == own }
	at := root
	seen := make([]bool, s.a.Acceptance.Sets)
	for {
		missing := slices.Index(seen, false)
		if missing < 0 {
			break
		}
		_, end, way, found := s.path([]int32{at}, true, inside, func(e automata.Edge, _ int32) bool { return s.a.Marks(e).Has(missing) }, nil)
		if !found {
			return nil, nil, false
		}
		for _, e := range way {
			for set := range seen {
				seen[set] = seen[set] || s.a.Marks(e).Has(set)
			}
		}
		cycle, at = append(cycle, way...), end
	}
	if at != root || len(cycle) == 0 {
		_, _, way, found := s.path([]int32{at}, true, inside, func(_ automata.Edge, to int32) bool { return to == root }, nil)
		if !found {
			return nil, nil, false
		}
		cycle = append(cycle, way...)
	}
	// The cycle begins where that of the word does.
	round := s.n - s.loop
	rest := (round - (int(root)/s.states - s.loop)) % round
	return append(prefix, cycle[:rest]...), slices.Concat(cycle[rest:], cycle[:rest]), true
}

// finite returns a run of the automaton over the letters, in order. If it easily can, it ends in
// a state from which most is accepted: one that loops with all marks whatever comes.
func (s *runSearch) finite() *automatonRun {
	accepting := func(q automata.State) bool {
		first, end := s.a.Out(q)
		for e := first; e < end; e++ {
			if s.a.Destination(e) == q && s.a.Marks(e).Count() == s.a.Acceptance.Sets && isTrue(s.a.Label(e)) {
				return true
			}
		}
		return false
	}
	var from []int32
	for _, q := range s.a.Initial() {
		from = append(from, int32(q))
	}
	last := int32((s.n - 1) * s.states)
	any := func(int32) bool { return true }
	for _, wanted := range []func(automata.State) bool{accepting, func(automata.State) bool { return true }} {
		isGoal := func(node int32) bool { return node >= last && wanted(automata.State(node-last)) }
		start, _, way, ok := s.path(from, false, any, func(_ automata.Edge, to int32) bool { return isGoal(to) }, isGoal)
		if ok {
			return &automatonRun{start: automata.State(start), edges: way}
		}
	}
	return nil
}

// isTrue reports whether a label has a cube without literals. Other labels may match all
// valuations, too.
func isTrue(l automata.Label) bool {
	return slices.ContainsFunc(l, func(c automata.Cube) bool { return c.Literals() == 0 })
}

// components numbers the strongly connected components of the nodes that are reachable from
// the initial ones, and reports which of them have an edge inside for each acceptance set.
func (s *runSearch) components() (component []int32, good []bool) {
	total := s.n * s.states
	if s.err = s.work.Reserve(total * componentBytes); s.err != nil {
		return nil, nil
	}
	component = slices.Repeat([]int32{-1}, total)
	var search components.Search
	search.Grow(total)
	var open []int32 // ends of edges that were not looked at: those of the last node last
	enter := func(node int32) {
		search.Enter(uint32(node), uint32(len(open)))
		s.successors(node, func(_ automata.Edge, to int32) bool {
			open = append(open, to)
			return true
		})
	}
	for _, q := range s.a.Initial() {
		if search.Met(uint32(q)) {
			continue
		}
		enter(int32(q))
		for search.Active() {
			top := search.Top()
			if last := len(open) - 1; last >= int(top.Next) {
				to := open[last]
				open = open[:last]
				if search.Look(top, uint32(to)) == components.New {
					enter(to)
				}
			} else if members := search.Leave(); members != nil {
				for _, node := range members {
					component[node] = int32(len(good))
				}
				good = append(good, false)
			}
		}
	}
	return component, s.accepting(component, good)
}

// accepting marks the components with an edge inside for each acceptance set.
//
// A component with an edge inside for each set has a cycle through all of them: from any of its
// edges each other one can be reached, and the first one again.
func (s *runSearch) accepting(component []int32, good []bool) []bool {
	sets := s.a.Acceptance.Sets
	seen := make([]bool, len(good)*(sets+1)) // the last one: that there is an edge at all
	for node, c := range component {
		if c < 0 {
			continue
		}
		s.successors(int32(node), func(e automata.Edge, to int32) bool {
			if component[to] == c {
				own := seen[int(c)*(sets+1):]
				own[sets] = true
				for set := range sets {
					own[set] = own[set] || s.a.Marks(e).Has(set)
				}
			}
			return true
		})
	}
	for c := range good {
		good[c] = !slices.Contains(seen[c*(sets+1):(c+1)*(sets+1)], false)
	}
	return good
}

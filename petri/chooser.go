package petri

import "pnmc/internal/account"

// chooser chooses by a selection what is fired, in one marking after the other.
type chooser struct {
	net     *Net
	by      Selection
	weighed Weighed // by, or nil if it does not know what it costs
	savings Savings

	rules   []uint32 // that are enabled
	enabled []Transition
	chosen  []uint32
	ruleOf  []uint32 // of enabled transitions

	// rest is how many states have all their edges before a selection is tried again,
	// and patience how many that will be after the next window that saves too little.
	rest, patience  int
	window          int // states in the present window
	fired, possible int
	spent           int // on choosing in the window
	credit          int // what earlier windows saved beyond what choosing cost
}

func newChooser(net *Net, by Selection) chooser {
	weighed, _ := by.(Weighed)
	return chooser{net: net, by: by, weighed: weighed, ruleOf: make([]uint32, net.Transitions()), patience: firstRest}
}

// Choosing rests where it is not worth its time: markings keep all edges then. After each windowStates
// markings it is looked back.
//
//   - If less than one of leastShare edges was left out, choosing rests.
//   - If the selection knows what it cost, that is weighed against what it saved: a marking for each
//     edge left out. That is a careful guess. The edge is not fired, and the marking that it leads to
//     may not be met, nor all that only follows from there: of Peterson's algorithm for three
//     processes, stubborn sets leave out half of the edges, and 29 markings of 30. What is saved
//     beyond the cost pays for later windows, up to mostCredit markings. Without credit choosing
//     rests.
//
// It rests for firstRest markings at first, and for twice as many each further time, up to
// longestRest, until a window was worth it again. So trying costs little where nothing is saved.
const (
	windowStates = 1 << 5
	leastShare   = 32
	firstRest    = 1 << 7
	longestRest  = 1 << 12
	mostCredit   = 1 << 11
)

// due begins with the next state, and reports whether the selection is to be tried there.
func (x *chooser) due() bool {
	x.savings.States++
	if x.rest > 0 {
		x.rest--
		return false
	}
	return true
}

// count takes note of what was saved in a state with that many enabled transitions.
func (x *chooser) count(fired, possible int) {
	x.window++
	x.fired += fired
	x.possible += possible
	if x.window < windowStates {
		return
	}
	left := x.possible - x.fired
	x.credit = min(x.credit+left*x.exploring()-x.spent, mostCredit*x.exploring())
	if left*leastShare < x.possible || x.credit < 0 {
		x.credit = 0
		x.rest = x.patience
		x.patience = min(2*x.patience, longestRest)
	} else {
		x.patience = firstRest
	}
	x.window, x.fired, x.possible, x.spent = 0, 0, 0, 0
}

// fireWork is about the time, in nanoseconds, that it takes to fire a transition and file the marking
// that follows, and to do what a marking needs beside.
const fireWork = 128

// exploring returns about how long it takes to explore a marking without choosing, in nanoseconds, as
// far as those of the window tell.
func (x *chooser) exploring() int { return fireWork + fireWork*x.possible/windowStates }

// keep counts a state that has so many of its possible edges.
func (x *chooser) keep(fired, possible int) {
	x.count(fired, possible)
	x.savings.Part++
	x.savings.Left += int64(possible - fired)
}

// look finds the rules that are enabled in packed, and returns their number.
func (x *chooser) look(f *firing, packed []uint64, implied []int64) int {
	x.rules = f.enabledRules(packed, implied, x.rules[:0])
	return len(x.rules)
}

// selectWork is about the time, in nanoseconds, that choosing takes for each enabled
// transition, without the time for arcs. The arcs around transitions that are not enabled are
// looked at once at most.
const selectWork = 64

// work returns about what it costs to choose among the rules that look has found.
func (x *chooser) work(f *firing) int {
	return f.tryWork() + x.net.Places() + x.net.Arcs() + selectWork*len(x.rules)
}

// choose puts those of the rules that look has found into chosen that are to be fired in m. It
// reports whether all are; chosen is not set then.
func (x *chooser) choose(f *firing, m Marking) (all bool) {
	x.enabled = x.enabled[:0]
	for _, r := range x.rules {
		t := f.rules[r].transition
		x.enabled = append(x.enabled, t)
		x.ruleOf[t] = r
	}
	chosen := x.by.Select(m, x.enabled)
	if x.weighed != nil {
		x.spent += x.weighed.Spent()
	}
	if len(chosen) == len(x.rules) {
		return true
	}
	x.chosen = x.chosen[:0]
	for _, t := range chosen {
		x.chosen = append(x.chosen, x.ruleOf[t])
	}
	return false
}

// Chooser has a thread fire what a selection chooses in each marking, as Kripke.Select does
// without acyclic. Each thread has its own, with a selection of its own. Not safe for
// concurrent use.
type Chooser struct {
	chooser
	left []uint32 // chosen, not fired yet
}

// NewChooser returns one for explorations of net.
func NewChooser(net *Net, by Selection) *Chooser { return &Chooser{chooser: newChooser(net, by)} }

// Savings returns what was saved so far.
func (c *Chooser) Savings() Savings { return c.savings }

// Choose reports whether only a part of what is enabled is to be fired in the marking m, which
// packed has for the player. If so, Successors has to be called until Done, and then Keep, or
// GiveUp if all is fired after all. An error is that of a.
func (c *Chooser) Choose(a *account.Account, p *Player, packed []uint64, m Marking) (part bool, err error) {
	if !c.due() {
		return false, nil
	}
	possible := c.look(p.firing, packed, p.implied)
	if err := a.Charge(c.work(p.firing)); err != nil {
		return false, err
	}
	if possible < 2 || c.choose(p.firing, m) {
		c.count(possible, possible)
		return false, nil
	}
	c.left = c.chosen
	return true, nil
}

// Done reports whether all that was chosen was fired.
func (c *Chooser) Done() bool { return len(c.left) == 0 }

// Successors appends packed markings to out that follow packed by what was chosen and not fired
// yet, until there are many. It returns the number of a field that is too narrow for one of
// them, or -1; out is then what it was.
func (c *Chooser) Successors(p *Player, packed []uint64, out *[]uint64) int {
	n := min(len(c.left), int(p.firing.batch))
	narrow, _ := p.firing.fireRules(c.left[:n], packed, out)
	c.left = c.left[n:]
	return narrow
}

// Keep counts the marking as one with a part of its edges.
func (c *Chooser) Keep() { c.keep(len(c.chosen), len(c.rules)) }

// GiveUp counts the marking as one with all its edges.
func (c *Chooser) GiveUp() { c.count(len(c.rules), len(c.rules)) }

// enabledRules appends the numbers of the rules that are enabled in packed to list.
func (f *firing) enabledRules(packed []uint64, implied []int64, list []uint32) []uint32 {
	if len(f.needs) > 0 {
		f.evaluateImplied(packed, implied)
	}
	if f.pairs != nil {
		return f.pairedRules(packed, implied, list)
	}
	list = f.enabledBetween(0, uint32(f.always), packed, implied, list)
	for i := range f.indexed {
		g := &f.indexed[i]
		b := g.bucket(packed)
		list = f.enabledBetween(f.bucket[b], f.bucket[b+1], packed, implied, list)
	}
	return list
}

// enabledBetween appends the enabled rules from first up to, but not including, end.
func (f *firing) enabledBetween(first, end uint32, packed []uint64, implied []int64, list []uint32) []uint32 {
	rules := f.rules[first:end]
	for i := range rules {
		if r := &rules[i]; packed[r.word]&r.mask == r.value && (r.test == r.room || f.enabled(r, packed, implied) && (f.clears == nil || f.below(r, packed, implied))) {
			list = append(list, first+uint32(i))
		}
	}
	return list
}

// fireRules appends what follows packed by rules that are enabled to out. If a field is too
// narrow, its number is returned instead of -1; fits is false if it is capped.
func (f *firing) fireRules(rules []uint32, packed []uint64, out *[]uint64) (narrow int, fits bool) {
	words := *out
	for _, n := range rules {
		r := &f.rules[n]
		if narrow := f.tooNarrow(r, packed); narrow >= 0 {
			if f.capped != nil && f.capped[narrow] {
				return -1, false
			}
			return narrow, false
		}
		at := len(words)
		words = append(words, packed...)
		if f.clears != nil {
			for _, c := range f.clears[n] {
				words[at+int(c.word)] &= c.add
			}
		}
		words[at+int(r.deltaWord)] += r.delta
		for _, d := range f.deltas[r.deltaFirst:r.deltaEnd] {
			words[at+int(d.word)] += d.add
		}
	}
	*out = words
	return -1, true
}

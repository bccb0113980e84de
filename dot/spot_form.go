package dot

import (
	"fmt"
	"slices"
	"strconv"

	"pnmc/automata"
	"pnmc/internal/account"
	"pnmc/internal/bitset"
	"pnmc/internal/oneline"
)

// lettersBound bounds the edges of a drawing, of which there is one for each letter.
const lettersBound = 1 << 21

var errForm = &DrawingError{Message: "not in the form of a testing automaton: each state needs one loop for the empty changeset"}

// spotForm returns a testing automaton in the form in which Spot draws one. Its states are
// numbered from a single initial state on, breadth first. It is over the propositions that labels
// mention, and has an edge for each valuation or changeset. Livelocks are accepted only by the
// empty changeset. An automaton read from a drawing is in that form.
//
// An automaton of ours has labels that match several letters: a loop labelled "a does not change",
// for example, stands for the empty changeset and for {b}. Each letter becomes an edge of its own, so
// that n propositions that a label leaves open make 2^n edges; lettersBound ends that.
//
// With livelock acceptance there is one difficulty. A livelock that goes on through {b} is one of
// ours, but not one of Spot's, in which a livelock is the empty changeset for ever. Such changes
// become edges that accept as those of a Büchi state do (see state). Runs that can come back to the
// state otherwise would so collect acceptance that they have no right to. So a copy of the state,
// which is never left, is for the runs that stay.
func spotForm(work *account.Account, a *automata.Automaton) (*automata.Automaton, error) {
	f := former{a: a, work: work, sets: a.Acceptance.Sets, number: map[formed]automata.State{}}
	if a.Kind == automata.TA {
		n, ok := a.Acceptance.LivelockSets()
		if !ok {
			return nil, &DrawingError{Message: fmt.Sprintf("a testing automaton with the acceptance condition %v can't be drawn", a.Acceptance.Condition)}
		}
		f.sets = n
		f.components = automata.FindComponents(a)
		f.copied = make([]copying, a.States())
	}
	if err := f.findPropositions(); err != nil {
		return nil, err
	}
	f.out = automata.NewBuilder(f.names, a.Acceptance)
	f.out.Kind, f.out.Name = a.Kind, a.Name
	f.out.AddState("")
	f.out.AddInitial(0)
	for _, s := range a.Initial() {
		for e, end := a.Out(s); e < end; e++ {
			if err := f.edges(0, e, a.Marks(e)); err != nil {
				return nil, err
			}
		}
	}
	for i := 0; i < len(f.states); i++ {
		if err := f.state(automata.State(i+1), f.states[i]); err != nil {
			return nil, err
		}
	}
	if len(f.states) == 0 { // of the empty language, which is drawn alike for each kind
		f.out = automata.NewBuilder(nil, automata.GeneralizedBuchi(0))
		f.out.Kind, f.out.Name = automata.TGTA, a.Name
		f.out.AddState("")
		f.out.AddInitial(0)
	}
	f.nameStates()
	return f.out.Build()
}

// former makes the form of one automaton.
type former struct {
	a            *automata.Automaton
	sets         int // of the drawing
	work         *account.Account
	components   *automata.Components
	copied       []copying // by state, of a TA
	propositions []int     // those that labels mention
	names        []string
	out          *automata.Builder
	states       []formed // numbered from 1 on
	number       map[formed]automata.State
	letters      int
}

// formed is a state, or the copy of it that a run enters to stay.
type formed struct {
	state automata.State
	stays bool
}

// copying says of each state whether it needs a copy, once that is known.
type copying uint8

const (
	copyUnknown copying = iota
	copyNeeded
	copyNeedless
)

// findPropositions finds those that labels of reachable edges mention.
func (f *former) findPropositions() error {
	used := make([]bool, len(f.a.Propositions))
	reached := slices.Clone(f.a.Initial())
	seen := make([]bool, f.a.States())
	for _, s := range reached {
		seen[s] = true
	}
	for i := 0; i < len(reached); i++ {
		for e, end := f.a.Out(reached[i]); e < end; e++ {
			if to := f.a.Destination(e); f.a.Cubes(e) > 0 && !seen[to] {
				seen[to] = true
				reached = append(reached, to)
			}
			for i := range f.a.Cubes(e) {
				if err := f.work.Charge(account.EdgeWork * (1 + len(used))); err != nil {
					return err
				}
				cube := f.a.Cube(e, i)
				for p := range used {
					some, _ := cube.Literal(p)
					used[p] = used[p] || some
				}
			}
		}
	}
	for p := range f.a.Propositions {
		if used[p] {
			f.propositions = append(f.propositions, p)
		}
	}
	slices.SortStableFunc(f.propositions, func(p, q int) int { return compareVersions(f.a.Propositions[p], f.a.Propositions[q]) })
	for _, p := range f.propositions {
		f.names = append(f.names, f.a.Propositions[p])
	}
	return nil
}

// compareVersions returns the order of propositions in Spot's formulas, that of the C
// function strverscmp: p2 comes before p10. Numbers with leading zeros, which that
// function takes for fractions, are compared by their digits.
func compareVersions(a, b string) int {
	for i := 0; i < min(len(a), len(b)); i++ {
		if a[i] == b[i] {
			continue
		}
		first := i // of the digits around i
		for first > 0 && isDigit(a[first-1]) {
			first--
		}
		lengthA, lengthB := digits(a[first:]), digits(b[first:])
		if lengthA > 0 && lengthB > 0 && a[first] != '0' && b[first] != '0' && lengthA != lengthB {
			return lengthA - lengthB
		}
		return int(a[i]) - int(b[i])
	}
	return len(a) - len(b)
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

// digits returns the number of digits that text begins with.
func digits(text string) int {
	n := 0
	for n < len(text) && isDigit(text[n]) {
		n++
	}
	return n
}

// visit returns the number of a state.
func (f *former) visit(s formed) automata.State {
	n, ok := f.number[s]
	if !ok {
		f.states = append(f.states, s)
		n = automata.State(len(f.states))
		f.number[s] = n
		f.out.AddStates(int(n) + 1)
	}
	return n
}

// edges adds an edge for each letter of e, and, where a run may enter a state to stay,
// others to the copy of that state.
func (f *former) edges(from automata.State, e automata.Edge, marks automata.Marks) error {
	letters, err := f.lettersOf(e)
	if err != nil {
		return err
	}
	to := formed{state: f.a.Destination(e)}
	f.add(from, letters, marks, to)
	if to.stays = true; f.a.Kind == automata.TA && f.needsCopy(to.state) {
		f.add(from, letters, marks, to)
	}
	return nil
}

// add adds an edge for each letter, all to the same state.
func (f *former) add(from automata.State, letters []automata.Cube, marks automata.Marks, to formed) {
	for _, c := range letters {
		f.out.AddEdge(from, automata.Label{c}, marks, f.visit(to))
	}
}

// state adds the edges of a state that isn't initial. In a TA some changes may matter
// so little that they, too, stay within the loop of a livelock: these become edges,
// which accept as those of a Büchi state. Where a run can come back to the state,
// it must not collect acceptance sets each time: a copy of the state is for those runs
// that stay.
func (f *former) state(number automata.State, s formed) error {
	first, end := f.a.Out(s.state)
	if f.a.Kind != automata.TA {
		return f.withStutterLast(number, first, end)
	}
	loop, err := f.loop(s.state)
	if err != nil {
		return err
	}
	letters, err := f.lettersOf(loop)
	if err != nil {
		return err
	}
	stutter := slices.IndexFunc(letters, isStutter)
	f.add(number, letters[stutter:stutter+1], f.a.Marks(loop), s)
	letters = slices.Delete(letters, stutter, stutter+1)
	accepts := len(letters) > 0 && f.a.Marks(loop).Has(f.sets) && (s.stays || !f.needsCopy(s.state))
	marks := automata.NewMarks(f.sets+2, f.sets+1)
	if accepts {
		marks = f.withAll(marks)
	}
	f.add(number, letters, marks, s)
	if s.stays {
		return nil
	}
	if f.needsCopy(s.state) {
		f.add(number, letters, marks, formed{s.state, true})
	}
	for e := first; e < end; e++ {
		if e == loop {
			continue
		}
		marks := f.a.Marks(e)
		if accepts { // no run comes back
			marks = f.withAll(marks)
		}
		if err := f.edges(number, e, marks); err != nil {
			return err
		}
	}
	return nil
}

// withStutterLast adds the edges of a state of a TGTA, in Spot's order.
func (f *former) withStutterLast(number automata.State, first, end automata.Edge) error {
	stutters := map[automata.Edge]automata.Cube{}
	for e := first; e < end; e++ {
		letters, err := f.lettersOf(e)
		if err != nil {
			return err
		}
		if i := slices.IndexFunc(letters, isStutter); i >= 0 {
			stutters[e] = letters[i]
			letters = slices.Delete(letters, i, i+1)
		}
		f.add(number, letters, f.a.Marks(e), formed{state: f.a.Destination(e)})
	}
	for e := first; e < end; e++ {
		if c, ok := stutters[e]; ok {
			f.add(number, []automata.Cube{c}, f.a.Marks(e), formed{state: f.a.Destination(e)})
		}
	}
	return nil
}

// withAll returns marks with all acceptance sets of the drawing.
func (f *former) withAll(marks automata.Marks) automata.Marks {
	marks = slices.Clone(marks)
	for set := range f.sets {
		bitset.Add(marks, set)
	}
	return marks
}

// loop returns the edge of a TA's state that is its stuttering.
func (f *former) loop(s automata.State) (loop automata.Edge, err error) {
	empty := make(automata.Valuation, f.a.ValuationWords())
	found := false
	for e, end := f.a.Out(s); e < end; e++ {
		if f.a.Matches(e, empty) {
			if found || f.a.Destination(e) != s {
				return 0, errForm
			}
			loop, found = e, true
		}
	}
	if !found {
		return 0, errForm
	}
	return loop, nil
}

// needsCopy reports whether s accepts livelocks in which some propositions may change, and a run can
// come back to it. It is found out once for each state.
func (f *former) needsCopy(s automata.State) bool {
	if f.copied[s] == copyUnknown {
		f.copied[s] = copyNeedless
		if f.comesBack(s) {
			f.copied[s] = copyNeeded
		}
	}
	return f.copied[s] == copyNeeded
}

// comesBack reports whether s needs a copy (see needsCopy): the loop of s is in the set of
// livelocks and reads more than one letter, and another edge of s stays in its component.
func (f *former) comesBack(s automata.State) bool {
	loop, err := f.loop(s)
	if err != nil || !f.a.Marks(loop).Has(f.sets) || f.a.Cubes(loop) == 1 && f.isOneLetter(f.a.Cube(loop, 0)) {
		return false
	}
	for e, end := f.a.Out(s); e < end; e++ {
		if e != loop && f.components.Of(f.a.Destination(e)) == f.components.Of(s) {
			return true
		}
	}
	return false
}

// isOneLetter reports whether a cube has a literal of each proposition, so that one valuation
// matches it.
func (f *former) isOneLetter(c automata.Cube) bool { return c.Literals() == len(f.propositions) }

// letterBytes is about what a letter of an edge takes for each word of a cube, as such, in the
// automaton, and among those that are known.
const letterBytes = 64

// lettersOf returns the letters of an edge, as cubes over the propositions that labels
// mention.
func (f *former) lettersOf(e automata.Edge) ([]automata.Cube, error) {
	var all []automata.Cube
	known := map[string]bool{}
	for i := range f.a.Cubes(e) {
		cube := f.a.Cube(e, i)
		free := []int{}
		full := automata.NewCube(len(f.names))
		for i, p := range f.propositions {
			some, positive := cube.Literal(p)
			if !some {
				free = append(free, i)
			}
			full = full.With(i, positive && some)
		}
		if len(free) > 20 || f.letters+1<<len(free) > lettersBound {
			return nil, &DrawingError{true, fmt.Sprintf("the automaton has more than %d valuations and changesets on its edges, of which each is drawn: it can be written as HOA", lettersBound)}
		}
		if err := f.work.Reserve(letterBytes * (1 + len(full)) << len(free)); err != nil {
			return nil, err
		}
		for choice := range 1 << len(free) {
			c := slices.Clone(full)
			for bit, p := range free {
				bitset.Put(c[len(c)/2:], p, uint64(choice)>>bit&1)
			}
			if key := letterKey(c); f.a.Cubes(e) == 1 || !known[key] {
				known[key] = true
				all = append(all, c)
				f.letters++
			}
		}
	}
	return all, nil
}

// isStutter reports whether a letter is the empty changeset.
func isStutter(c automata.Cube) bool {
	return !slices.ContainsFunc(c[len(c)/2:], func(w uint64) bool { return w != 0 })
}

// nameStates gives the states their names, unless these are their numbers.
func (f *former) nameStates() {
	names := make([]string, len(f.states)+1)
	names[0] = initialName
	named := false
	for i, s := range f.states {
		n := automata.State(i + 1)
		names[n] = strconv.Itoa(int(n))
		if f.a.StateNames != nil {
			if name := oneline.Of(f.a.StateNames[s.state]); name != "" {
				names[n] = name
			}
		}
		named = named || names[n] != strconv.Itoa(int(n))
	}
	if named {
		for s, name := range names {
			f.out.SetStateName(automata.State(s), name)
		}
	}
}

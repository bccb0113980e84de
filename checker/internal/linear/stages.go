package linear

import (
	"context"
	"math/rand/v2"
	"slices"

	"pnmc/automata"
	"pnmc/checker/internal/ledger"
	"pnmc/checker/internal/rephrase"
	"pnmc/checker/internal/runs"
	"pnmc/checker/walk"
	"pnmc/checker/witness"
	"pnmc/internal/account"
	"pnmc/logic"
	"pnmc/petri"
)

// stages leads runs through the automaton of a violation. A violation may need several rare things
// one after the other. For example, F (a ∧ X F (b ∧ X F c)) needs a marking with a, later one with
// b, and later still one with c. To meet all of that by chance is hopeless. To look for one after
// the other is not.
//
// The idea. Let wayTo(n) be the number of edges from each state of the automaton to accepting
// component n. A run begins in an initial state. As long as the automaton is not in the component,
// choose an edge to a state that is nearer, walk to a marking where its label holds, and fire one
// transition. The automaton reads each marking on the way, so that all states in which it may be
// are known: from these the next edge is chosen.
//
// In the example the automaton is a chain of four states, with a loop at each, and edges with
// labels a, b and c. The first stage walks to a marking with a and fires once more, the second goes
// from there to one with b, the third to one with c. The last state accepts everything: the run is
// a violation.
//
// In a component that does not accept everything a cycle is needed. cycle takes turns: random runs
// that may come back by chance, and runs that walk to a label of each acceptance set and then
// toward the marking where they began.
//
// A choice that looks good may be wrong, as a walk is found only where there is one. Then the run is
// given up, and the next one chooses anew. Runs are judged on their own, so that nothing here can make
// a wrong answer.
type stages struct {
	a       *automata.Automaton
	c       *automata.Components
	ways    [][]int // for each accepting component, by state: the number of edges to it, or -1
	labels  []*logic.Predicate
	letters []*logic.Predicate
}

// stagesOf returns the stages of a question's automaton. It returns nil if the automaton is too
// large or not plain, or no accepting component can be reached.
func stagesOf(ctx context.Context, l *runs.Question) *stages {
	a := l.Automaton
	if a.Kind != automata.Plain || a.Edges() > runs.MostLabels {
		return nil
	}
	c := automata.FindComponents(a)
	accepting, err := automata.AcceptingComponents(ctx, a, c)
	if err != nil {
		return nil
	}
	s := &stages{a: a, c: c, labels: make([]*logic.Predicate, a.Edges()), letters: l.Letters()}
	for n, accepts := range accepting {
		if !accepts {
			continue
		}
		way := s.wayTo(automata.Component(n))
		if slices.ContainsFunc(a.Initial(), func(i automata.State) bool { return way[i] >= 0 }) {
			s.ways = append(s.ways, way)
		}
	}
	if len(s.ways) == 0 {
		return nil
	}
	return s
}

// wayTo returns for each state the number of edges on a shortest way to component n, or -1.
func (s *stages) wayTo(n automata.Component) []int {
	left := make([]int, s.a.States())
	for state := range left {
		if left[state] = -1; s.c.Of(automata.State(state)) == n {
			left[state] = 0
		}
	}
	for changed := true; changed; { // the longest way has as many rounds as states
		changed = false
		for e := range automata.Edge(s.a.Edges()) {
			from, to := s.a.Source(e), s.a.Destination(e)
			if left[to] >= 0 && (left[from] < 0 || left[from] > left[to]+1) {
				left[from], changed = left[to]+1, true
			}
		}
	}
	return left
}

// label returns the label of an edge as a predicate, simplified once.
func (s *stages) label(e automata.Edge) *logic.Predicate {
	if s.labels[e] == nil {
		s.labels[e] = runs.LabelPredicate(s.a.Label(e), s.letters).Simplify()
	}
	return s.labels[e]
}

// inside returns a predicate that holds where an edge of set can be taken in the component of state.
func (s *stages) inside(state automata.State, set int) *logic.Predicate {
	or := &logic.Predicate{Operator: logic.Or}
	for _, from := range s.c.States(s.c.Of(state)) {
		first, end := s.a.Out(from)
		for e := first; e < end; e++ {
			if s.c.Inside(s.a, e) && s.a.Marks(e).Has(set) {
				or.Operands = append(or.Operands, s.label(e))
			}
		}
	}
	return or.Simplify()
}

// led is a run that is being led.
type led struct {
	*neededRuns
	*stages
	way           []int // by state
	rng           *rand.Rand
	work          *account.Account
	question      *ledger.Question
	path          *runs.Path
	marking       petri.Marking // where it is
	present, next []bool        // states of the automaton, before it reads that marking
}

// nextEdge draws one of the states where the automaton may be and from which a way leads on. If the
// state is not in the component yet, it also draws an edge to a state that is nearer. It reports
// false if there is none.
func (l *led) nextEdge() (state automata.State, edge automata.Edge, ok bool) {
	seen := 0
	for i, is := range l.present {
		if is && l.way[i] >= 0 {
			if seen++; l.rng.IntN(seen) == 0 {
				state = automata.State(i)
			}
		}
	}
	if seen == 0 || l.way[state] == 0 {
		return state, 0, seen > 0
	}
	seen = 0
	first, end := l.a.Out(state)
	for e := first; e < end; e++ {
		if to := l.way[l.a.Destination(e)]; to >= 0 && to < l.way[state] {
			if seen++; l.rng.IntN(seen) == 0 {
				edge = e
			}
		}
	}
	return state, edge, seen > 0
}

// lead leads one run, and returns it if it may be a violation, else nil.
func (n *neededRuns) lead(ctx context.Context, q *ledger.Question, s *stages) *runs.Path {
	rng := rand.New(rand.NewPCG(n.seed(), 11))
	l := &led{neededRuns: n, stages: s, way: s.ways[rng.IntN(len(s.ways))], rng: rng, work: n.Shared.Passing(ctx), question: q, marking: n.Net.Initial(),
		present: runs.Start(s.a), next: make([]bool, s.a.States())}
	l.path = &runs.Path{Markings: []petri.Marking{slices.Clone(l.marking)}, Loop: -1}
	for len(l.path.Markings) < n.most {
		state, edge, ok := l.nextEdge()
		switch {
		case !ok || ctx.Err() != nil:
			return nil
		case l.way[state] == 0 && q.LTL.AcceptsAll(state):
			return l.path
		case l.way[state] == 0:
			return l.cycle(ctx, state)
		}
		if !l.walkTo(ctx, l.label(edge)) {
			return nil
		}
		if n.Net.Deadlock(l.marking) {
			l.path.Loop = len(l.path.Markings) - 1
			return l.path
		}
		if !l.step() {
			return nil
		}
	}
	return nil
}

// fire has the automaton read the present marking, and then fires t. It reports false if t is not
// enabled, the run is too long, or the account has ended.
func (l *led) fire(t petri.Transition) bool {
	cost := runs.Read(l.a, l.present, l.next, l.question.LTL.Letter(l.Net, l.marking))
	l.present, l.next = l.next, l.present
	if l.work.Charge(cost+200+runs.TokenBytes*len(l.marking)) != nil || len(l.path.Markings) >= l.most || !l.Net.Fire(l.marking, t) {
		return false
	}
	l.path.Fired = append(l.path.Fired, t)
	l.path.Markings = append(l.path.Markings, slices.Clone(l.marking))
	return true
}

// step fires a transition drawn from those that are enabled. It reports false in a deadlock.
func (l *led) step() bool {
	seen, chosen := 0, petri.Transition(0)
	for t := range petri.Transition(l.Net.Transitions()) {
		if l.Net.Enabled(l.marking, t) {
			if seen++; l.rng.IntN(seen) == 0 {
				chosen = t
			}
		}
	}
	l.work.Add(8 * l.Net.Transitions())
	return seen > 0 && l.fire(chosen)
}

// walkTo goes on to a marking with a goal, unless the present one has it. It reports false if none was
// found.
func (l *led) walkTo(ctx context.Context, goal *logic.Predicate) bool {
	if witness.Satisfies(l.Net, l.marking, goal) {
		return true
	}
	if goal.Operator == logic.False {
		return false
	}
	w, err := walk.New(ctx, l.Net.From(l.marking), []walk.Goal{{Predicate: rephrase.OverPlaces(l.Net, goal)}}, l.seed())
	if err != nil {
		return false
	}
	var found []witness.Burst
	w.Found = func(_ int, _ int64, run []witness.Burst) bool {
		found = run
		return true
	}
	w.Wanted = func(int) bool { return !l.Ledger.IsAnswered(l.question) }
	w.Run(ctx)
	l.Note("question %d: walked %d steps of a stage", l.question.Number, w.Steps)
	for _, b := range found {
		for range b.Times {
			if !l.fire(b.Transition) {
				return false
			}
		}
	}
	return found != nil
}

// cycle looks for a cycle in an accepting component: in turns by random runs, and by runs that go
// to each of its acceptance sets and back to where they began. It returns the first run that
// violates the question, or nil.
func (l *led) cycle(ctx context.Context, state automata.State) *runs.Path {
	from, err := walk.NewRandomRun(ctx, l.Net.From(l.marking), l.rng)
	if err != nil {
		return nil
	}
	var sets []*logic.Predicate
	for set := range min(l.a.Acceptance.Sets, runs.MostSets) {
		if !runs.AcceptsWithout(l.a.Acceptance.Condition, set) {
			sets = append(sets, l.inside(state, set))
		}
	}
	base := *l.path
	start := len(base.Markings) - 1
	for round := 0; round < cycleTries && ctx.Err() == nil && !l.Ledger.IsAnswered(l.question); round++ {
		met := runs.Path{Loop: -1}
		if round%2 == 1 && len(sets) > 0 {
			l.path, l.marking = &base, slices.Clone(base.Markings[start])
			met = l.around(ctx, start, sets)
		} else if tail := randomRun(l.work, from, l.rng, min(l.most-start, (round+1)*shortestRun)); tail.Loop >= 0 {
			met.Markings = slices.Concat(base.Markings[:start], tail.Markings)
			met.Fired, met.Loop = slices.Concat(base.Fired, tail.Fired), start+tail.Loop
		}
		if met.Loop < 0 {
			continue
		}
		if _, violated, err := met.Violates(l.work, l.Net, l.question.LTL); err != nil {
			return nil
		} else if violated {
			return &met
		}
	}
	return nil
}

// around returns a run that goes to each of the goals and back to the marking numbered start. Its
// loop is -1 if it did not come back.
func (l *led) around(ctx context.Context, start int, goals []*logic.Predicate) runs.Path {
	l.path = &runs.Path{Markings: slices.Clone(l.path.Markings), Fired: slices.Clone(l.path.Fired), Loop: -1}
	for _, goal := range goals {
		if !l.walkTo(ctx, goal) {
			return runs.Path{Loop: -1}
		}
	}
	to := l.path.Markings[start]
	back, err := walk.NewRandomRun(ctx, l.Net.From(l.marking), l.rng)
	if err != nil {
		return runs.Path{Loop: -1}
	}
	back.Aim(to)
	for range wayBack * max(wayBack, len(l.path.Markings)-start) {
		if l.Net.Deadlock(l.marking) || l.work.Charge(stepWork(back)) != nil || !back.StepToward() || !l.fire(back.Last()) {
			break
		}
		if slices.Equal(l.marking, to) {
			l.path.Markings = l.path.Markings[:len(l.path.Markings)-1]
			l.path.Loop = start
			return *l.path
		}
	}
	return runs.Path{Loop: -1}
}

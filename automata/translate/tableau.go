package translate

import (
	"context"
	"fmt"
	"math/bits"
	"slices"

	"pnmc/automata"
	"pnmc/automata/bdd"
	"pnmc/internal/account"
	"pnmc/internal/bitset"
	"pnmc/logic"
	"pnmc/logic/ltl"
	"pnmc/logic/ltl/rewrite"
)

// classLimit bounds the classes of a state. A class has the valuations under which the state asks
// the same of the next position. With up to classLimit classes, each may get edges of its own, one
// for each goal, labelled with the condition of the class: so no valuation belongs to two classes.
// Edges with the same target and promises are then joined. With more classes, edges are made of
// prime implicants, and these may share valuations.
const classLimit = 512

// manyClasses is the number of classes above which prime implicants become the edges if there are
// at most as many of them as classes. Take F(p0 & F(p1 & …)). Made of classes, an edge is labelled
// with the conditions of all classes that have it, a sum of many cubes. Made of an implicant, it is
// labelled with one cube: the literals that it needs.
const manyClasses = 64

// tableau builds an automaton whose states are formulas. What a formula says is one Boolean
// function of three kinds of variables. Propositions stand for what it asks of the present, next
// variables for what it asks of the next position, promise variables for what it puts off.
// Propositions come first in the order of variables; only the variant interleaved (translate.go)
// takes all variables in the order in which they are met. An edge that puts off an eventuality g,
// such as the b of a U b, promises g: its promise variable is in the implicant of which the edge is
// made. The acceptance set of g has all edges that do not promise g.
//
// For example, a U b means b | a & next(a U b) & promise(b). So the state a U b has two
// edges: one labelled b to the state true, in b's set since it promises nothing, and one
// back to itself, which is not in the set. The second is labelled a & !b, not a. Where a and b both
// hold, the function is true whatever is asked next, so that only the edge to the state true is
// made. The run that takes the second edge for ever waits for a b that never comes, and is not
// accepted.
//
// Two eventualities can share a promise. The state (a U b) & (c U b) has an edge labelled b to true,
// and an edge labelled a & c & !b back to itself, which promises b. A single b fulfils both.
//
// Why it is right (Couvreur, "On-the-fly verification of linear temporal logic", FM 1999):
// both a U b and a W b solve the equation x = b | a & next(x). The edges alone demand only that it
// holds at each position, and so cannot tell the two apart. They differ only in words in which,
// from some position on, a always holds and b never does. Then each edge from there on promises b,
// and b's set is met no more: the run is not accepted. In a word that does satisfy the formula,
// there is a run that meets b's set again and again. Where b holds, all that waits for b is
// fulfilled, and the run can take an edge that does not promise b. While nothing waits for b, the
// run needs no edge that promises it.
//
// What it costs: a state is a conjunction of formulas that are asked of the next position at the
// same time: temporal subformulas, and operands of X or their parts. For n such formulas there are
// at most 2^n states, and the initial one, as long as goals are not rewritten (goal). Rewriting
// makes them fewer as a rule, as formulas of one meaning share a state; that it may add some is why
// MaxFormulas bounds the formulas, too. There is one acceptance set for each right side of U, left side
// of M, and operand of F. The diagrams of a state, and the classes of valuations that its edges
// tell apart, may be exponential in the propositions: MaxEdges, classLimit and demandLimit end that.
type tableau struct {
	ctx       context.Context
	work      *account.Account // of ctx
	formulas  *ltl.Formulas
	rewriter  *rewrite.Rewriter
	functions *bdd.Functions
	limits    limits
	cubes     int // most that a label may have; 0: no limit but that of the diagrams
	variant
	propositions int
	first        int   // variable of entry 0 of nextOf and promiseOf
	atoms        []int // variable of each proposition, or -1 before it is met

	meaning   map[meaningKey]bdd.Function
	nextOf    []*ltl.Formula // of each variable: the formula asked of the next position, or nil
	promiseOf []int          // of each variable: the acceptance set, or -1
	next      map[*ltl.Formula]int
	promise   map[*ltl.Formula]int
	sets      int
	full      bool // more variables were asked for than there can be

	state     map[*ltl.Formula]automata.State
	canonical map[bdd.Function]*ltl.Formula
	todo      []*ltl.Formula
	edges     []tableauEdge
}

// meaningKey is a formula, and where else it is asked: see recurrence.
type meaningKey struct {
	formula *ltl.Formula
	recurrence
}

// tableauEdge is an edge of the tableau. Promises are bits, one for each formula that is
// promised; the edge of the automaton is in the sets of the other ones.
type tableauEdge struct {
	from, to automata.State
	label    bdd.Function
	promises uint64
}

// simplifiedFormulas is a number of formulas. Once more were met, those of new states are not
// simplified any more: it would cost more than it saves.
const simplifiedFormulas = 10_000

// demandLimit is the number of next and promise variables that there can be.
const demandLimit = 1 << 14

// build makes the automaton of f, which is in negation normal form.
func (t *tableau) build(f *ltl.Formula) (*automata.Automaton, error) {
	t.visit(f)
	for i := 0; i < len(t.todo); i++ {
		if err := t.ctx.Err(); err != nil {
			return nil, err
		}
		if err := t.expand(t.todo[i], automata.State(i)); err != nil {
			return nil, err
		}
	}
	names := t.formulas.Propositions()
	if t.ending {
		t.sets = 1
	}
	b := automata.NewBuilder(names, automata.GeneralizedBuchi(t.sets))
	b.Within(t.ctx)
	b.AddStates(len(t.todo))
	b.AddInitial(0)
	all := ^uint64(0)
	if t.sets < 64 {
		all = 1<<t.sets - 1
	}
	for _, e := range t.edges {
		label, err := t.label(e.label)
		if err != nil {
			return nil, limit(err, longLabel)
		}
		marks := all &^ e.promises
		if t.ending && t.of(t.todo[e.to], once) != bdd.TrueFunction {
			marks = 0
		}
		b.AddEdge(e.from, label, automata.Marks{marks}, e.to)
	}
	return b.Build()
}

// label returns a function of propositions as a label of the automaton.
func (t *tableau) label(f bdd.Function) (automata.Label, error) {
	if !t.interleaved {
		return t.cubesOf(f, t.propositions)
	}
	wide, err := t.cubesOf(f, t.width())
	label := make(automata.Label, len(wide))
	for i, cube := range wide {
		label[i] = automata.NewCube(t.propositions)
		for p, v := range t.atoms {
			if v < 0 {
				continue
			}
			occurs, positive := cube.Literal(v)
			if occurs {
				bitset.Add(label[i], p)
			}
			if positive {
				bitset.Add(label[i][len(label[i])/2:], p)
			}
		}
	}
	return label, err
}

// cubesOf returns a function of variables below count as a sum of t.cubes cubes at most, unless
// that is 0.
func (t *tableau) cubesOf(f bdd.Function, count int) (automata.Label, error) {
	if t.cubes == 0 {
		return t.functions.LabelOver(f, count)
	}
	label, err := t.functions.LabelWithin(f, count, t.cubes)
	if label == nil && err == nil {
		err = bdd.ErrTooLarge
	}
	return label, err
}

// visit returns the state of f; formulas with one meaning share a state.
func (t *tableau) visit(f *ltl.Formula) automata.State {
	if s, known := t.state[f]; known {
		return s
	}
	m := t.of(f, once)
	if g, known := t.canonical[m]; known {
		t.state[f] = t.state[g]
		return t.state[f]
	}
	s := automata.State(len(t.todo))
	t.canonical[m] = f
	t.state[f] = s
	t.todo = append(t.todo, f)
	return s
}

// expand makes the edges of the state s of formula f.
func (t *tableau) expand(f *ltl.Formula, s automata.State) error {
	m := t.of(f, once)
	if err := t.demands(); err != nil {
		return err
	}
	steps, err := t.steps(m)
	if err != nil {
		return err
	}
	type target struct {
		to       automata.State
		promises uint64
	}
	labels := map[target][]bdd.Function{}
	var order []target
	for _, step := range steps {
		if step.formula.Operator() == logic.False {
			continue
		}
		key := target{t.visit(step.formula), step.promises}
		if _, known := labels[key]; !known {
			order = append(order, key)
		}
		labels[key] = append(labels[key], step.condition)
	}
	for _, key := range order {
		t.edges = append(t.edges, tableauEdge{s, key.to, t.functions.Any(labels[key]...), key.promises})
	}
	if err := t.functions.Err(); err != nil {
		return limit(err, manyEdges)
	}
	switch {
	case len(t.todo) > t.limits.States:
		return fmt.Errorf("%w: more than %d states", ErrLimit, t.limits.States)
	case len(t.edges) > t.limits.Edges:
		return fmt.Errorf("%w: more than %d edges", ErrLimit, t.limits.Edges)
	case t.formulas.Len() > t.limits.Formulas:
		return fmt.Errorf("%w: more than %d formulas", ErrLimit, t.limits.Formulas)
	}
	return t.demands()
}

// demands returns an error if there were too many promises, or formulas asked of the next position.
func (t *tableau) demands() error {
	switch {
	case t.full:
		return fmt.Errorf("%w: more than %d subformulas to satisfy", ErrLimit, demandLimit)
	case t.sets > 64:
		return errTooManySets
	}
	return nil
}

// step is an edge of a state, or a part of one.
type step struct {
	condition bdd.Function // of propositions
	goal
}

// manyImplicants bounds the prime implicants of a state that become its edges, where the
// labels of edges for classes of valuations would have many cubes. In F((a & b) | (c & d) | …)
// the edge that waits would have the label "none of these holds yet", which has exponentially many
// cubes. The implicant that waits has the label true.
const manyImplicants = 1 << 14

// steps returns the steps of a state that asks m.
func (t *tableau) steps(m bdd.Function) ([]step, error) {
	classes, label, err := t.split(m)
	if err != nil {
		return nil, err
	}
	var steps []step
	for _, class := range classes {
		if err := t.ctx.Err(); err != nil {
			return nil, err
		}
		goals, err := t.goals(class.Rest)
		if err != nil {
			return nil, err
		}
		for _, g := range goals {
			steps = append(steps, step{class.Condition, g})
		}
	}
	if t.haveManyCubes(steps) {
		if label, err = t.functions.LabelWithin(m, t.width(), manyImplicants); err != nil {
			return nil, limit(err, manyEdges)
		}
	}
	if label != nil {
		return t.implicants(label)
	}
	return steps, nil
}

// haveManyCubes reports whether some goal has a label of many cubes.
func (t *tableau) haveManyCubes(steps []step) bool {
	if t.propositions <= bdd.FewPropositions {
		return false
	}
	conditions := map[goal][]bdd.Function{}
	var order []goal
	for _, s := range steps {
		if conditions[s.goal] == nil {
			order = append(order, s.goal)
		}
		conditions[s.goal] = append(conditions[s.goal], s.condition)
	}
	return slices.ContainsFunc(order, func(g goal) bool {
		return t.functions.HasManyCubes(t.functions.Any(conditions[g]...), t.propositions)
	})
}

// split returns what m asks under each class of valuations, or the implicants of m where edges
// are better made of these.
func (t *tableau) split(m bdd.Function) ([]bdd.Class, automata.Label, error) {
	var classes []bdd.Class
	if !t.interleaved {
		classes = t.functions.Classes(m, t.propositions, classLimit)
	}
	switch {
	case len(classes) > manyClasses:
		label, err := t.functions.LabelWithin(m, t.width(), len(classes))
		if label != nil || err != nil {
			return nil, label, limit(err, manyEdges)
		}
	case classes == nil && m != bdd.FalseFunction:
		label, err := t.functions.LabelOver(m, t.width())
		if err != nil && t.ctx.Err() != nil {
			// Once time is over, formulas are rewritten less and grow larger. Then the true
			// reason is the time, not the size of the label.
			err = t.ctx.Err()
		}
		return nil, label, limit(err, manyEdges)
	}
	return classes, nil, nil
}

// goal is what an edge leads to: a formula to satisfy from the next position on,
// with promises made.
type goal struct {
	formula  *ltl.Formula
	promises uint64
}

// dividedGoals bounds the goals of one class in the variant divided, which asks X(a | b) as X a | X
// b. With it X((a | b) & (c | d) & …) has exponentially many goals: where a class has more than
// dividedGoals, the variant is given up.
const dividedGoals = 1 << 8

// goals returns the prime implicants of a function of next and promise variables
// only. All these variables occur unnegated, so that an irredundant sum of
// products is the sum of all prime implicants. A goal g is dropped if a goal h asks for less: g
// implies h, h promises nothing that g does not, and h is a safety formula. Then a run that goes to
// g can go to h instead. From a safety formula on no edge promises anything, so that the run is
// accepted however it goes on. For another h the run could be sent to h again and again, for ever,
// each time with an eventuality put off: it would not be accepted.
func (t *tableau) goals(rest bdd.Function) ([]goal, error) {
	most := t.limits.Edges
	if t.divided {
		most = min(most, dividedGoals)
	}
	label, err := t.functions.LabelWithin(rest, t.width(), most)
	switch {
	case err != nil:
		return nil, limit(err, manyEdges)
	case label == nil && rest != bdd.FalseFunction:
		return nil, fmt.Errorf("%w: more than %d edges", ErrLimit, most)
	}
	var goals []goal
	for _, cube := range label {
		goals = append(goals, t.goal(cube))
	}
	// Goals may cover each other in a circle, and one of them must stay. So a goal is dropped for
	// one that is kept already, or for a later one that it does not cover in turn. The later one
	// may be dropped as well, but only for a kept one or one later still: the chain ends at a
	// goal that is kept.
	var kept []goal
	for i, g := range goals {
		if err := t.work.Charge(coverWork * len(goals)); err != nil {
			return nil, err
		}
		covered := slices.ContainsFunc(kept, func(h goal) bool { return t.covers(h, g) }) ||
			slices.ContainsFunc(goals[i+1:], func(h goal) bool { return t.covers(h, g) && !t.covers(g, h) })
		if !covered {
			kept = append(kept, g)
		}
	}
	return kept, nil
}

// coverWork is about the time that covers takes, in nanoseconds, where it is soon decided, as for
// nearly all pairs.
const coverWork = 32

// covers reports whether g can be left out where h is a goal.
func (t *tableau) covers(h, g goal) bool {
	return h.promises&^g.promises == 0 && h.formula.Has(ltl.Safety) && t.rewriter.Implies(g.formula, h.formula)
}

// goal returns the goal of the next and promise variables in a cube. The goal is rewritten only if
// it is a safety formula, or if rewriting shows that it is false. An eventuality has to be promised
// at each position until it holds. Rewriting could replace it by another of the same meaning, and
// that one by the first again at the next position. Then each of the two promises would be missing
// again and again, and neither eventuality would ever have to hold.
func (t *tableau) goal(cube automata.Cube) goal {
	var g goal
	var parts []*ltl.Formula
	for w, word := range cube[:len(cube)/2] {
		for ; word != 0; word &= word - 1 {
			i := 64*w + bits.TrailingZeros64(word) - t.first
			switch {
			case i < 0: // a proposition
			case t.nextOf[i] != nil:
				parts = append(parts, t.nextOf[i])
			case t.promiseOf[i] >= 0:
				g.promises |= 1 << min(t.promiseOf[i], 63)
			}
		}
	}
	g.formula = t.formulas.And(parts...)
	if t.formulas.Len() > simplifiedFormulas {
		return g
	}
	if simple := t.rewriter.Simplify(g.formula); g.formula.Has(ltl.Safety) || simple.Operator() == logic.False {
		g.formula = simple
	}
	return g
}

// width returns the number of variables in use.
func (t *tableau) width() int { return t.first + len(t.nextOf) }

// implicants makes a step of each cube of label, which is an irredundant sum of products of
// what a state asks.
func (t *tableau) implicants(label automata.Label) ([]step, error) {
	if len(label) > t.limits.Edges {
		return nil, fmt.Errorf("%w: more than %d edges", ErrLimit, t.limits.Edges)
	}
	steps := make([]step, len(label))
	for i, cube := range label {
		if i%1024 == 0 && t.ctx.Err() != nil {
			return nil, t.ctx.Err()
		}
		steps[i] = step{t.condition(cube), t.goal(cube)}
	}
	return steps, t.ctx.Err()
}

// condition returns what a cube says of propositions.
func (t *tableau) condition(cube automata.Cube) bdd.Function {
	condition := bdd.TrueFunction
	half := len(cube) / 2
	for w, word := range slices.Backward(cube[:half]) {
		for word != 0 {
			bit := 63 - bits.LeadingZeros64(word)
			word &^= 1 << bit
			v := 64*w + bit
			switch {
			case !t.isAtom(v):
			case bitset.Has(cube[half:], v):
				condition = t.functions.Choice(uint32(v), bdd.FalseFunction, condition)
			default:
				condition = t.functions.Choice(uint32(v), condition, bdd.FalseFunction)
			}
		}
	}
	return condition
}

// isAtom reports whether variable v, which is in use, is that of a proposition.
func (t *tableau) isAtom(v int) bool {
	return v < t.first || t.nextOf[v-t.first] == nil && t.promiseOf[v-t.first] < 0
}

package page

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/urfave/cli/v2"

	"pnmc/automata"
	"pnmc/automata/complement"
	"pnmc/automata/translate"
	"pnmc/checker"
	"pnmc/checker/properties"
	"pnmc/checker/witness"
	"pnmc/cmd/pnmc/internal/limits"
	"pnmc/cmd/pnmc/internal/told"
	"pnmc/internal/account"
	"pnmc/logic"
	"pnmc/logic/ltl"
	"pnmc/petri"
	"pnmc/view"
)

// Answer is an answer for a page; its runs are told in the page's net when that is
// known.
type Answer struct {
	answer view.Answer
	runs   []*pageRun
}

// translationTime bounds making the automaton that a run follows on a page; less is what a
// question has.
const translationTime = 10 * time.Second

// forAutomaton returns the context in which the automaton of a question is made for its page.
func forAutomaton(c *cli.Context) (context.Context, context.CancelFunc) {
	limit := translationTime
	if d := c.Duration("timeout"); d > 0 {
		limit = min(limit, d)
	}
	end := time.Now().Add(limit)
	if given := limits.AllowanceOf(c).Answer; given != nil {
		if over, is := given.Deadline(); is && over.Before(end) {
			end = over
		}
	}
	ctx, cancel := context.WithDeadline(c.Context, end)
	budget, given, err := limits.Given(c)
	if err != nil || !given {
		return ctx, cancel
	}
	within, stop := account.Within(ctx, budget)
	return within, func() { stop(nil); cancel() }
}

// AnswerOf returns what a page shows of a property.
//
// An answer of CTL may have several runs, one for each branch of its witness. A branch that
// begins where another one has come to has From and At, which say where.
func AnswerOf(c *cli.Context, d told.Decided, r *told.Answer) *Answer {
	a := &Answer{answer: view.Answer{
		Name: r.Name, Kind: string(r.Kind), Verdict: r.Verdict, Ground: r.Ground, Reason: r.Reason,
		Cells: d.Problem != nil && d.Problem.Coloured == nil, Opposite: d.Opposite,
	}}
	if r.Value != nil {
		a.answer.Value = fmt.Sprint(r.Value)
	}
	if d.Err != nil {
		return a
	}
	a.ask(c, d)
	w := &d.Answer.Witness
	if r.Trace == nil {
		return a
	}
	run := &pageRun{net: w.Net, coloured: w.Coloured, bindings: w.Bindings, round: w.BindingsCycle, run: view.Run{From: -1, Dead: r.Trace.Dead}}
	run.prefix, run.cycle = burstSteps(w.Run), burstSteps(w.Cycle)
	if w.Ends || d.Kind == told.Deadlock {
		run.run.Ends = true
		run.stays = d.Kind == told.LTL || d.Kind == told.Automaton
	}
	if len(w.Branches) == 0 {
		a.runs = []*pageRun{run}
		return a
	}
	for _, b := range w.Branches {
		run := &pageRun{net: w.Net, coloured: w.Coloured, bindings: b.Bindings, run: view.Run{From: -1}}
		for _, t := range b.Prefix {
			run.prefix = append(run.prefix, view.Step{Transition: t, Times: 1})
		}
		for _, t := range b.Cycle {
			run.cycle = append(run.cycle, view.Step{Transition: t, Times: 1})
		}
		if from := slices.Index(w.Branches, b.From); b.From != nil && from >= 0 {
			run.run.From, run.run.At = from, b.At
		}
		a.runs = append(a.runs, run)
	}
	return a
}

// burstSteps returns a run in which transitions fire several times in a row, as pages take it.
func burstSteps(run []witness.Burst) []view.Step {
	steps := make([]view.Step, len(run))
	for i, b := range run {
		steps[i] = view.Step{Transition: b.Transition, Times: b.Times}
	}
	return steps
}

// ask sets what was asked: the formula, its atoms, the automaton of its negation.
func (a *Answer) ask(c *cli.Context, d told.Decided) {
	atom := func(p *logic.Predicate) int { return a.atom(p.Text(d.Vocabulary), p) }
	existsFinally := func(p *logic.Predicate, operator string) {
		a.answer.Formula = &view.Formula{Operator: operator, Operands: []*view.Formula{view.StateFormula(p, atom)}}
	}
	switch q := d.Question.(type) {
	case checker.Linear:
		a.askLinear(c, q, d.Answer.Witness.HasRun())
	case checker.Automaton:
		a.accept(c, q.Property, d.Answer.Witness.HasRun())
	case checker.Branching:
		a.answer.Formula = view.BranchingFormula(q.Formula, atom)
	case checker.Reachable:
		existsFinally(q.Predicate, "EF")
	case checker.Invariant:
		existsFinally(q.Predicate, "AG")
	case checker.Bound:
		if len(q.Products) == 0 {
			a.answer.Sum = &q.Sum
		}
	case checker.Deadlock:
		p := &logic.Predicate{Operator: logic.Deadlocked}
		a.answer.Formula = &view.Formula{Operator: "EF", Operands: []*view.Formula{{Atom: a.atom("deadlock", p)}}}
	}
}

// atom numbers a predicate; one of the same text is the same.
func (a *Answer) atom(text string, p *logic.Predicate) int {
	for i, other := range a.answer.Atoms {
		if other.Text == text {
			return i
		}
	}
	a.answer.Atoms = append(a.answer.Atoms, view.Atom{Text: text, Predicate: p})
	return len(a.answer.Atoms) - 1
}

// askLinear sets a formula of linear temporal logic. If there is a run to follow, it
// makes the automaton of the negation again.
func (a *Answer) askLinear(c *cli.Context, q checker.Linear, run bool) {
	var atoms []int
	for i, name := range q.Formulas.Propositions() {
		atoms = append(atoms, a.atom(name, q.Predicates[i]))
	}
	a.answer.Formula = view.LinearFormula(q.Formula, atoms)
	if !run {
		return
	}
	ctx, cancel := forAutomaton(c)
	defer cancel()
	own := ltl.NewFormulas() // the engines may still use the others
	f, err := own.ImportWithin(account.Of(ctx).Charge, q.Formula, q.Formulas)
	if err != nil {
		return
	}
	automaton, err := translate.ToAutomaton(ctx, own, f, translate.Options{Negate: true})
	if err != nil {
		return
	}
	a.answer.Automaton = automaton
	for _, name := range automaton.Propositions {
		a.answer.Propositions = append(a.answer.Propositions, slices.IndexFunc(a.answer.Atoms, func(t view.Atom) bool { return t.Text == name }))
	}
}

// accept sets the automaton of a negated property, if there is a run to follow. It
// turns it into one that reads valuations and has generalized Büchi acceptance.
func (a *Answer) accept(c *cli.Context, p properties.Property, run bool) {
	var atoms []int
	for i, name := range p.Automaton.Propositions {
		atoms = append(atoms, a.atom(name, p.Predicates[i]))
	}
	if !run {
		return
	}
	ctx, cancel := forAutomaton(c)
	defer cancel()
	automaton, err := automata.ReadingValuations(ctx, p.Automaton)
	if err != nil {
		return
	}
	if !automaton.Acceptance.IsGeneralizedBuchi() {
		if automaton, err = complement.WithGeneralizedBuchi(ctx, automaton); err != nil {
			return
		}
	}
	for _, name := range automaton.Propositions {
		i := slices.Index(p.Automaton.Propositions, name)
		if i < 0 {
			return
		}
		a.answer.Propositions = append(a.answer.Propositions, atoms[i])
	}
	a.answer.Automaton = automaton
}

// AnswerOfCheck returns what a page shows of an automaton that a named approach checked.
func AnswerOfCheck(c *cli.Context, net *petri.Net, name string, property properties.Property, result properties.Result) *Answer {
	a := &Answer{answer: view.Answer{Name: name, Kind: string(told.Automaton), Verdict: result.Verdict.String(), Reason: result.Reason, Cells: true}}
	a.accept(c, property, result.Counterexample != nil)
	if x := result.Counterexample; x != nil {
		steps := func(from []witness.Step) (list []view.Step) {
			for _, step := range from {
				list = append(list, view.Step{Transition: step.Transition, Times: 1, Stays: step.Stutter})
			}
			return list
		}
		a.runs = []*pageRun{{net: net, prefix: steps(x.Prefix), cycle: steps(x.Cycle), run: view.Run{From: -1}}}
	}
	return a
}

package cross

import (
	"context"
	"fmt"

	"pnmc/automata"
	"pnmc/automata/complement"
	"pnmc/automata/emptiness"
	"pnmc/logic/ltl"
)

// compare makes all checks on the automata of one formula, and returns a difference
// for each pair of translators and check that fails, the first of its kind.
//
// No translator is taken to be right. Let P be an automaton of the formula and N one of its
// negation, of the same translator or of two. If both are right, each word is accepted by exactly one
// of them. So a word in both shows that one is wrong, and so does a word in neither. The first is an
// intersection, and is always decided. The second takes complements of both, which may be too large;
// then random state spaces stand in, which can only find such words and not exclude them.
//
// For example, a translator takes a U b for a W b. Its automaton of the formula accepts the word in
// which a always holds and b never does. So does a right automaton of the negation: the intersection
// shows it, with that word. By the definition of the operators (package ltl) the word does not
// satisfy a U b, so the first is the one that is wrong.
func (r *runner) compare(ctx context.Context, c *formulaCase) []*Difference {
	k := &comparison{runner: r, formulaCase: c, ctx: ctx}
	k.intersections()
	k.complements()
	for i := range r.settings.Spaces {
		limited, cancel := r.settings.within(ctx)
		x, err := newSpace(limited, c.formulas.Propositions(), r.settings, uint64(c.number)<<16+uint64(i))
		cancel()
		if ctx.Err() != nil {
			return k.differences
		}
		if err != nil { // the others are as large
			k.report.Checks++
			k.skip(err)
			break
		}
		k.space(x)
	}
	k.system()
	return k.differences
}

// comparison is the checks of one formula.
type comparison struct {
	*runner
	*formulaCase
	ctx         context.Context
	differences []*Difference
	found       map[[3]string]bool
	disputes    []dispute
}

// dispute are words about which two translators differ: the words that a and b both accept.
type dispute struct {
	left, right int
	a, b        *automata.Automaton
	about       string
}

// differ notes a difference, once for each check and pair of translators; nil if it is
// not the first.
func (k *comparison) differ(check string, left, right int, word *automata.Lasso, detail string) *Difference {
	d := &Difference{
		Number: k.number, Name: k.name, Formula: k.text, Check: check, Detail: detail,
		Left: k.translators[left].Name(), Right: k.translators[right].Name(), left: left, right: right,
	}
	key := [3]string{check, fmt.Sprint(left), fmt.Sprint(right)}
	if k.found[key] {
		return nil
	}
	if k.found == nil {
		k.found = map[[3]string]bool{}
	}
	k.found[key] = true
	if word != nil {
		word = word.Over(k.formulas.Propositions())
		d.Word = word
		holds := satisfies(*word, k.formulas, k.formula)
		d.Satisfied = &holds
		d.Wrong = k.wrong(*word, holds)
	}
	k.differences = append(k.differences, d)
	return d
}

// wrong returns the translators one of whose automata is wrong about the word.
func (k *comparison) wrong(word automata.Lasso, holds bool) []string {
	var names []string
	for i, t := range k.translators {
		if k.isWrong(k.positive[i], word, holds) || k.isWrong(k.negative[i], word, !holds) {
			names = append(names, t.Name())
		}
	}
	return names
}

// isWrong reports whether an automaton is wrong about a word, which is to be accepted if holds.
// It is not if the check was given up.
func (k *comparison) isWrong(a *automata.Automaton, word automata.Lasso, holds bool) bool {
	if a == nil {
		return false
	}
	ctx, cancel := k.settings.within(k.ctx)
	defer cancel()
	r, err := emptiness.Intersect(emptiness.Explicit(word.Automaton()), emptiness.Explicit(a), emptiness.Options{Context: ctx})
	return err == nil && r.Nonempty != holds
}

// skip notes a check that could not be made, and why. It reports whether err says so.
func (k *comparison) skip(err error) bool {
	if err == nil {
		return false
	}
	k.report.giveUp(k.number, err)
	return true
}

// How a word, or a run, is disputed.
const (
	acceptedByBoth    = "is accepted by the automaton of the formula and by that of the negation"
	acceptedByNeither = "is accepted neither by the automaton of the formula nor by that of the negation"
)

// intersections looks for words that an automaton of the formula and one of the
// negation have in common.
func (k *comparison) intersections() {
	k.meet(CheckIntersection, k.positive, k.negative, acceptedByBoth)
}

// complements looks for words that neither an automaton of the formula nor one of
// the negation accepts: the complements of both must not meet.
func (k *comparison) complements() {
	positive, negative := make([]*automata.Automaton, len(k.positive)), make([]*automata.Automaton, len(k.negative))
	for i := range k.translators {
		positive[i], negative[i] = k.complement(k.positive[i]), k.complement(k.negative[i])
	}
	k.meet(CheckComplement, positive, negative, acceptedByNeither)
}

// meet notes a difference, by the check of that name, for each pair of automata, one
// of each list, that have a word in common.
func (k *comparison) meet(check string, left, right []*automata.Automaton, about string) {
	for i, a := range left {
		for j, b := range right {
			if a == nil || b == nil {
				continue
			}
			ctx, cancel := k.settings.within(k.ctx)
			r, err := emptiness.Intersect(emptiness.Explicit(a), emptiness.Explicit(b), emptiness.Options{Context: ctx, Word: true})
			cancel()
			k.report.Checks++
			if !k.skip(err) && r.Nonempty {
				k.differ(check, i, j, r.Word, "a word "+about)
				k.disputes = append(k.disputes, dispute{i, j, a, b, about})
			}
		}
	}
}

// complement returns the complement of a where it can be had within the limits, else nil.
func (k *comparison) complement(a *automata.Automaton) *automata.Automaton {
	if a == nil {
		return nil
	}
	if k.settings.ComplementLimit == 0 {
		if deterministic, _ := automata.IsDeterministic(k.ctx, a); !deterministic {
			return nil
		}
	}
	ctx, cancel := k.settings.within(k.ctx)
	defer cancel()
	c, err := complement.Complement(ctx, a, k.settings.ComplementLimit)
	if k.skip(err) {
		return nil
	}
	return c
}

// system checks all automata on the system that the user gives. First it looks for runs that are
// disputed: words that the checks before have found to be accepted by both or by neither. Then each
// automaton is asked for a run of the system that it accepts. Either the formula or its negation must
// have one, and translators must agree on whether there is one.
func (k *comparison) system() {
	if k.settings.System == nil {
		return
	}
	for _, d := range k.disputes {
		product, err := automata.Product(k.ctx, d.a, d.b)
		if k.skip(err) {
			continue
		}
		run, err := k.runOf(product)
		k.report.Checks++
		if !k.skip(err) && run != nil {
			k.differOnSystem(d.left, d.right, run, "a run of the system "+d.about)
		}
	}
	positive, negative := k.onSystem(k.positive), k.onSystem(k.negative)
	for i := range k.translators {
		if positive[i].none() && negative[i].none() {
			// Any run of the system will do.
			run, _ := k.runOf(automata.EveryWord())
			k.differOnSystem(i, i, run, "no run of the system is accepted, by the automaton of the formula or that of the negation")
		}
		for j := range i {
			for _, x := range []struct {
				found   []systemAnswer
				negated string
			}{{positive, "formula"}, {negative, "negation"}} {
				left, right := x.found[j], x.found[i]
				if left.none() && right.run != nil || left.run != nil && right.none() {
					run := left.run
					if run == nil {
						run = right.run
					}
					k.differOnSystem(j, i, run, "a run of the system is accepted by only one of the automata of the "+x.negated)
				}
			}
		}
	}
}

// systemAnswer is an accepted run of the system, or that there is none, if that is known.
type systemAnswer struct {
	run   *SystemRun
	known bool
}

// none reports whether the automaton is known to accept no run of the system.
func (a systemAnswer) none() bool { return a.known && a.run == nil }

// onSystem asks for a run that is accepted by each automaton.
func (k *comparison) onSystem(list []*automata.Automaton) []systemAnswer {
	found := make([]systemAnswer, len(list))
	for i, a := range list {
		if a == nil {
			continue
		}
		run, err := k.runOf(a)
		k.report.Checks++
		found[i] = systemAnswer{run, !k.skip(err)}
	}
	return found
}

// runOf returns a run of the system that a accepts.
func (k *comparison) runOf(a *automata.Automaton) (*SystemRun, error) {
	ctx, cancel := k.settings.within(k.ctx)
	defer cancel()
	return k.settings.System(ctx, a, k.formulas.Propositions())
}

// differOnSystem notes a difference that a run of the system shows.
func (k *comparison) differOnSystem(left, right int, run *SystemRun, detail string) {
	var word *automata.Lasso
	if run != nil {
		word = run.Word
	}
	if d := k.differ(CheckSystem, left, right, word, detail); d != nil {
		d.Run = run
	}
}

// differs reports whether the translators still differ about another formula by one of
// the checks, and how.
func (r *runner) differs(ctx context.Context, s *ltl.Formulas, f *ltl.Formula) *Difference {
	r.report = newReport(nil)
	c := newCase(s, f)
	c.number = 1
	r.translate(ctx, c)
	if all := r.compare(ctx, c); len(all) > 0 {
		return all[0]
	}
	return nil
}

package cross

import (
	"context"
	"fmt"
	"slices"

	"pnmc/automata"
	"pnmc/checker"
	"pnmc/logic"
)

// compare makes all checks on the automata of one formula, and returns a difference
// for each pair of translators and check that fails, the first of its kind.
func (r *runner) compare(ctx context.Context, c *formulaCase) []*Difference {
	k := &comparison{runner: r, formulaCase: c, ctx: ctx}
	k.intersections()
	k.complements()
	for i := range r.settings.Spaces {
		k.space(newSpace(c.formulas.Propositions(), r.settings, uint64(c.number)<<16+uint64(i)))
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
}

// differ notes a difference, once for each check and pair of translators.
func (k *comparison) differ(check string, left, right int, word *automata.Lasso, detail string) {
	d := &Difference{
		Number: k.number, Name: k.name, Formula: k.text, Check: check, Detail: detail,
		Left: k.translators[left].Name(), Right: k.translators[right].Name(), left: left, right: right,
	}
	key := [3]string{check, fmt.Sprint(left), fmt.Sprint(right)}
	if k.found[key] {
		return
	}
	if k.found == nil {
		k.found = map[[3]string]bool{}
	}
	k.found[key] = true
	if word != nil {
		word = withPropositions(word, k.formulas.Propositions())
		d.Word = word.String()
		holds := Satisfies(*word, k.formulas, k.formula)
		d.Satisfied = &holds
		d.Wrong = k.wrong(*word, holds)
	}
	k.differences = append(k.differences, d)
}

// withPropositions is the word with these propositions too, false where it had none.
func withPropositions(word *automata.Lasso, names []string) *automata.Lasso {
	wide := &automata.Lasso{Propositions: slices.Clone(word.Propositions)}
	for _, name := range names {
		if !slices.Contains(wide.Propositions, name) {
			wide.Propositions = append(wide.Propositions, name)
		}
	}
	widen := func(letters []automata.Valuation) []automata.Valuation {
		wider := make([]automata.Valuation, len(letters))
		for i, v := range letters {
			wider[i] = make(automata.Valuation, automata.WordsFor(len(wide.Propositions)))
			copy(wider[i], v)
		}
		return wider
	}
	wide.Prefix, wide.Cycle = widen(word.Prefix), widen(word.Cycle)
	return wide
}

// wrong are the translators one of whose automata is wrong about the word.
func (k *comparison) wrong(word automata.Lasso, holds bool) []string {
	var names []string
	for i, t := range k.translators {
		if k.isWrong(k.positive[i], word, holds) || k.isWrong(k.negative[i], word, !holds) {
			names = append(names, t.Name())
		}
	}
	return names
}

func (k *comparison) isWrong(a *automata.Automaton, word automata.Lasso, holds bool) bool {
	if a == nil {
		return false
	}
	accepted, err := checker.Intersects(checker.Explicit(word.Automaton()), checker.Explicit(a))
	return err == nil && accepted != holds
}

// skip counts a check that could not be made.
func (k *comparison) skip(err error) bool {
	if err != nil {
		k.report.Skipped++
	}
	return err != nil
}

// intersections looks for words that an automaton of the formula and one of the
// negation have in common.
func (k *comparison) intersections() {
	for i, p := range k.positive {
		for j, n := range k.negative {
			if p == nil || n == nil {
				continue
			}
			ctx, cancel := withLimit(k.ctx, k.settings.CheckLimit)
			r, err := checker.Intersect(checker.Explicit(p), checker.Explicit(n), checker.IntersectOptions{Context: ctx, Word: true})
			cancel()
			k.report.Checks++
			if !k.skip(err) && r.Nonempty {
				k.differ(CheckIntersection, i, j, r.Word, "a word is accepted by the automaton of the formula and by that of the negation")
			}
		}
	}
}

// complements looks for words that neither an automaton of the formula nor one of
// the negation accepts: the complements of both must not meet.
func (k *comparison) complements() {
	positive, negative := make([]*automata.Automaton, len(k.positive)), make([]*automata.Automaton, len(k.negative))
	for i := range k.translators {
		positive[i], negative[i] = k.complement(k.positive[i]), k.complement(k.negative[i])
	}
	for i, p := range positive {
		for j, n := range negative {
			if p == nil || n == nil {
				continue
			}
			ctx, cancel := withLimit(k.ctx, k.settings.CheckLimit)
			r, err := checker.Intersect(checker.Explicit(p), checker.Explicit(n), checker.IntersectOptions{Context: ctx, Word: true})
			cancel()
			k.report.Checks++
			if !k.skip(err) && r.Nonempty {
				k.differ(CheckComplement, i, j, r.Word, "a word is accepted neither by the automaton of the formula nor by that of the negation")
			}
		}
	}
}

// complement is the complement of a where it can be had within the limits, else nil.
func (k *comparison) complement(a *automata.Automaton) *automata.Automaton {
	if a == nil || k.settings.ComplementLimit == 0 && !automata.IsDeterministic(a) {
		return nil
	}
	ctx, cancel := withLimit(k.ctx, k.settings.CheckLimit)
	defer cancel()
	c, err := automata.Complement(ctx, a, k.settings.ComplementLimit)
	if k.skip(err) {
		return nil
	}
	return c
}

// system checks all automata on the system that the user gives.
func (k *comparison) system() {
	if k.settings.System == nil {
		return
	}
	answers := func(list []*automata.Automaton) []*bool {
		found := make([]*bool, len(list))
		for i, a := range list {
			if a == nil {
				continue
			}
			ctx, cancel := withLimit(k.ctx, k.settings.CheckLimit)
			some, err := k.settings.System(ctx, a)
			cancel()
			k.report.Checks++
			if !k.skip(err) {
				found[i] = &some
			}
		}
		return found
	}
	positive, negative := answers(k.positive), answers(k.negative)
	for i := range k.translators {
		if positive[i] != nil && negative[i] != nil && !*positive[i] && !*negative[i] {
			k.differ(CheckSystem, i, i, nil, "no run of the system is accepted, by the automaton of the formula or that of the negation")
		}
		for j := range i {
			for _, x := range []struct {
				found   []*bool
				negated string
			}{{positive, "formula"}, {negative, "negation"}} {
				if x.found[i] != nil && x.found[j] != nil && *x.found[i] != *x.found[j] {
					k.differ(CheckSystem, j, i, nil, "a run of the system is accepted by only one of the automata of the "+x.negated)
				}
			}
		}
	}
}

// differs tells whether the translators still differ about another formula by one of
// the checks, and how.
func (r *runner) differs(ctx context.Context, s *logic.Formulas, f *logic.Formula) *Difference {
	r.report = newReport(nil)
	c := newCase(s, f)
	c.number = 1
	r.translate(ctx, c)
	if all := r.compare(ctx, c); len(all) > 0 {
		return all[0]
	}
	return nil
}

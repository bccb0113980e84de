package view

import (
	"errors"
	"fmt"

	"pnmc/internal/account"
	"pnmc/internal/backwards"
)

// mostTruths bounds the values of subformulas that a run comes with.
const mostTruths = 20_000_000

// truthWork is about what it takes to evaluate an operator at a position, for each operand, in nanoseconds.
const truthWork = 8

// evaluate finds out what is known of each subformula at each position. After the last
// position of a finite run nothing is known, unless the last marking is a deadlock.
//
// Each subformula has two values: lo, that it surely holds, and hi, that it may hold. Both
// are fixpoints along the run, which is gone through backwards, twice if it has a cycle.
//
// For example, G p on a run of three markings in all of which p holds. If the run goes on after the
// last one, lo is false and hi is true at each of them: unknown. If the last marking is a deadlock,
// which repeats, or the run has a cycle, both are true. F q on the same run without q is unknown in
// the first case, and false in the others. A negation exchanges the two: !f surely holds where f
// surely does not.
//
// An error is that of work: for each subformula three bytes a position are kept.
func (r *replay) evaluate(a *Answer, work *account.Account) error {
	list := a.Formula.postorder()
	if len(list) == 0 || len(list)*r.positions > mostTruths {
		return nil
	}
	e := &evaluation{replay: r, branching: a.Kind != "ltl" && a.Kind != "automaton", values: map[*Formula]bounds{}}
	for _, f := range list {
		if err := errors.Join(work.Reserve(3*r.positions), work.Charge(truthWork*r.positions*(2+len(f.Operands)))); err != nil {
			return err
		}
		v := e.evaluate(f)
		e.values[f] = v
		track := make([]truth, r.positions)
		for i := range track {
			switch {
			case v.lo[i]:
				track[i] = yes
			case v.hi[i]:
				track[i] = unknown
			}
		}
		r.values = append(r.values, track)
	}
	return nil
}

// agree makes the formula at the first position what the verdict says, which may rest on more
// than this run. The error says that the run shows the contrary.
func (r *replay) agree(a *Answer) error {
	if len(r.values) == 0 || a.Verdict != "holds" && a.Verdict != "violated" || r.run.From >= 0 {
		return nil
	}
	verdict := no
	if (a.Verdict == "holds") != a.Opposite {
		verdict = yes
	}
	root := r.values[len(r.values)-1]
	if root[0] != unknown && root[0] != verdict {
		return fmt.Errorf("%s: the run contradicts the verdict", a.Name)
	}
	root[0] = verdict
	return nil
}

// bounds says, for each position, whether something surely holds, and whether it may
// hold.
type bounds struct{ lo, hi []bool }

// evaluation finds out what is known of a formula at each position of a run.
type evaluation struct {
	*replay
	branching bool // formulas speak of markings, and of all runs from there
	values    map[*Formula]bounds
}

// next returns the position after i: -1 if that is not known.
func (e *evaluation) next(i int) int {
	switch {
	case i+1 < e.positions:
		return i + 1
	case e.loop >= 0:
		return e.loop
	case e.ended && !e.branching: // a deadlock repeats its marking
		return i
	}
	return -1
}

// evaluate returns where f surely holds and where it may hold, from what is known of its
// operands. For temporal operators both are fixpoints along the run, least or greatest as the
// operator says: F, U and M begin with false, G, W and R with true. Behind the last known
// position nothing surely holds, and all may. Formulas of branching time are left to branch.
func (e *evaluation) evaluate(f *Formula) bounds {
	v := bounds{make([]bool, e.positions), make([]bool, e.positions)}
	both := func(from bool, lo, hi func(i int) bool) bounds {
		backwards.Solve(v.lo, from, lo)
		backwards.Solve(v.hi, from, hi)
		return v
	}
	if f.Operator == "" {
		for i, t := range e.atoms[f.Atom] {
			v.lo[i], v.hi[i] = t == yes, t != no
		}
		return v
	}
	var o []bounds
	for _, g := range f.Operands {
		o = append(o, e.values[g])
	}
	if known, is := e.boolean(f.Operator, o); is {
		return both(false, known.lo, known.hi)
	}
	// The next marking: something surely holds there only if that is known, and maybe
	// if it is not.
	then := func(w []bool, otherwise bool) func(i int) bool {
		return func(i int) bool {
			if n := e.next(i); n >= 0 {
				return w[n]
			}
			return otherwise
		}
	}
	if e.branching {
		return e.branch(f.Operator, o, v, both)
	}
	lo, hi := then(v.lo, false), then(v.hi, true)
	p, q := o[0], o[len(o)-1]
	switch f.Operator {
	case "X":
		return both(false, then(p.lo, false), then(p.hi, true))
	case "F":
		return both(false, func(i int) bool { return p.lo[i] || lo(i) }, func(i int) bool { return p.hi[i] || hi(i) })
	case "G":
		return both(true, func(i int) bool { return p.lo[i] && lo(i) }, func(i int) bool { return p.hi[i] && hi(i) })
	case "U", "W":
		return both(f.Operator == "W", func(i int) bool { return q.lo[i] || p.lo[i] && lo(i) },
			func(i int) bool { return q.hi[i] || p.hi[i] && hi(i) })
	}
	// R and M
	return both(f.Operator == "R", func(i int) bool { return q.lo[i] && (p.lo[i] || lo(i)) },
		func(i int) bool { return q.hi[i] && (p.hi[i] || hi(i)) })
}

// sides are the two bounds as functions of a position.
type sides struct{ lo, hi func(i int) bool }

// boolean returns the bounds of a Boolean operator.
func (e *evaluation) boolean(operator string, o []bounds) (sides, bool) {
	all := func(side func(bounds) []bool, wanted bool) func(int) bool {
		return func(i int) bool {
			for _, v := range o {
				if side(v)[i] != wanted {
					return !wanted
				}
			}
			return wanted
		}
	}
	lo, hi := func(v bounds) []bool { return v.lo }, func(v bounds) []bool { return v.hi }
	switch operator {
	case "true", "false":
		constant := func(int) bool { return operator == "true" }
		return sides{constant, constant}, true
	case "!":
		return sides{func(i int) bool { return !o[0].hi[i] }, func(i int) bool { return !o[0].lo[i] }}, true
	case "&":
		return sides{all(lo, true), all(hi, true)}, true
	case "|":
		return sides{all(lo, false), all(hi, false)}, true
	case "->":
		return sides{func(i int) bool { return !o[0].hi[i] || o[1].lo[i] }, func(i int) bool { return !o[0].lo[i] || o[1].hi[i] }}, true
	case "<->", "xor":
		same := func(i int) bool { return o[0].lo[i] && o[1].lo[i] || !o[0].hi[i] && !o[1].hi[i] }
		differ := func(i int) bool { return o[0].lo[i] && !o[1].hi[i] || !o[0].hi[i] && o[1].lo[i] }
		not := func(f func(int) bool) func(int) bool { return func(i int) bool { return !f(i) } }
		if operator == "xor" {
			same, differ = differ, same
		}
		return sides{same, not(differ)}, true
	}
	return sides{}, false
}

// branch returns the bounds of an operator of CTL, as far as this run shows them: it is one of
// the runs from each of its markings, and the only one in a deadlock.
func (e *evaluation) branch(operator string, o []bounds, v bounds, both func(bool, func(int) bool, func(int) bool) bounds) bounds {
	p, q := o[0], o[len(o)-1]
	end := func(i int) bool { return e.ended && i == e.positions-1 }
	then := func(w []bool, i int, otherwise bool) bool {
		if n := e.next(i); n >= 0 {
			return w[n]
		}
		return otherwise
	}
	switch operator {
	case "EX":
		return both(false, func(i int) bool { return !end(i) && then(p.lo, i, false) }, func(i int) bool { return !end(i) })
	case "AX":
		return both(false, end, func(i int) bool { return end(i) || then(p.hi, i, true) })
	case "EF":
		return both(false, func(i int) bool { return p.lo[i] || then(v.lo, i, false) }, func(i int) bool { return p.hi[i] || !end(i) })
	case "AF":
		return both(false, func(i int) bool { return p.lo[i] }, func(i int) bool { return p.hi[i] || !end(i) && then(v.hi, i, true) })
	case "EG":
		return both(true, func(i int) bool { return p.lo[i] && (end(i) || then(v.lo, i, false)) }, func(i int) bool { return p.hi[i] })
	case "AG":
		return both(true, func(i int) bool { return p.lo[i] && end(i) }, func(i int) bool { return p.hi[i] && (end(i) || then(v.hi, i, true)) })
	case "EU":
		return both(false, func(i int) bool { return q.lo[i] || p.lo[i] && then(v.lo, i, false) },
			func(i int) bool { return q.hi[i] || p.hi[i] && !end(i) })
	}
	// AU
	return both(false, func(i int) bool { return q.lo[i] },
		func(i int) bool { return q.hi[i] || p.hi[i] && !end(i) && then(v.hi, i, true) })
}

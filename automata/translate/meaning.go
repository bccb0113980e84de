package translate

import (
	"slices"

	"pnmc/automata/bdd"
	"pnmc/logic"
	"pnmc/logic/ltl"
)

// recurrence says where else a formula is asked.
type recurrence uint8

const (
	// once: it is asked by itself.
	once recurrence = iota
	// recurring: it is asked at every position from now on, as f is by G f. So b | a & promise(b)
	// does for a U b: the next position asks for a U b anyway, and next(a U b) need not.
	recurring
	// meanwhile: it is asked at every position before a later one, and there by itself (once), as f
	// is by f U (f & g). So b | a is enough for a U b: at each position before the later one a or b
	// holds, and there a U b is asked, with its promise. Together that is a U b at each position.
	meanwhile
)

// of returns the meaning of f as a function of propositions, next and promise
// variables. It computes it once for each formula and recurrence.
func (t *tableau) of(f *ltl.Formula, r recurrence) bdd.Function {
	key := meaningKey{f, r}
	m, known := t.meaning[key]
	if !known {
		if t.sets > 64 {
			return bdd.FalseFunction // of no use any more
		}
		m = t.compute(f, r)
		t.meaning[key] = m
	}
	return m
}

// compute finds the meaning by the laws of expansion, such as a U b = b | a & promise(b) & next(a
// U b). In its code, again is next(f), or true where the next position is asked for f anyway, and
// postponed(g) is again and the promise of g. Of a formula that is asked meanwhile, postponed(g) is
// true: the later position asks and promises.
func (t *tableau) compute(f *ltl.Formula, r recurrence) bdd.Function {
	b := t.functions
	operands := f.Operands()
	again := func() bdd.Function {
		if r != once {
			return bdd.TrueFunction
		}
		return t.asked(f)
	}
	postponed := func(g *ltl.Formula) bdd.Function {
		if r == meanwhile {
			return bdd.TrueFunction
		}
		return b.And(t.promised(g), again())
	}
	if t.interleaved {
		t.meet(f, r)
	}
	switch f.Operator() {
	case logic.False:
		return bdd.FalseFunction
	case logic.True:
		return bdd.TrueFunction
	case ltl.Atom:
		return t.atom(f.Proposition())
	case logic.Not:
		return b.Not(t.of(operands[0], once))
	case logic.And:
		return junction(b.And, bdd.TrueFunction, t.all(t.literalsFirst(operands), r))
	case logic.Or:
		return junction(b.Or, bdd.FalseFunction, t.all(t.literalsFirst(operands), once))
	case ltl.Next:
		return t.asked(operands[0])
	case ltl.Finally:
		return b.Or(t.of(operands[0], once), postponed(operands[0]))
	case ltl.Globally:
		return b.And(t.of(operands[0], recurring), again())
	}
	first, second := operands[0], operands[1]
	switch f.Operator() {
	case ltl.Until:
		return b.Or(t.of(second, once), b.And(t.of(first, once), postponed(second)))
	case ltl.WeakUntil:
		return b.Or(t.of(second, once), b.And(t.of(first, once), again()))
	case ltl.Release:
		return t.released(first, second, r, max(r, recurring), again())
	}
	// StrongRelease. Where it is asked once, first will hold, and second is asked once beside
	// it. Where it is recurring, that part of second stays: without a promise before the next
	// time, it could be put off from one time to the next.
	until := meanwhile
	if r == recurring {
		until = recurring
	}
	return t.released(first, second, r, until, postponed(first))
}

// meet orders the variables of f, in the variant in which they are ordered as they are met.
// First come the variables of f asked again and of its promise, which occur together. Then
// come those of the shorter operand, and then those of the longer one: so the longer diagram
// is not copied. Of p0 U (p1 U …) or (… R p1) R p0 each formula has few nodes more than the
// one within.
func (t *tableau) meet(f *ltl.Formula, r recurrence) {
	if f.Operator() < ltl.Finally {
		return
	}
	operands := f.Operands()
	if r == once {
		t.asked(f)
	}
	if r != meanwhile {
		switch f.Operator() {
		case ltl.Finally, ltl.StrongRelease:
			t.promised(operands[0])
		case ltl.Until:
			t.promised(operands[1])
		}
	}
	shorter := operands[0]
	if len(operands) == 2 && operands[1].Length() < shorter.Length() {
		shorter = operands[1]
	}
	if shorter.Operator() == logic.Not {
		shorter = shorter.Operands()[0]
	}
	if shorter.Operator() == ltl.Atom {
		t.atom(shorter.Proposition())
	}
}

// released returns the meaning of first R second, or first M second: either first holds with
// second, or all is asked again, which is later. Then second is asked again, too, and what
// it asks need not be. So p R (q R (r R …)) asks for one formula later, not for any set of
// them. until is how second is asked up to there.
func (t *tableau) released(first, second *ltl.Formula, r, until recurrence, later bdd.Function) bdd.Function {
	b := t.functions
	return b.Or(b.And(t.of(first, once), t.of(second, r)), b.And(later, t.of(second, until)))
}

// all returns the meanings of formulas.
func (t *tableau) all(formulas []*ltl.Formula, r recurrence) []bdd.Function {
	list := make([]bdd.Function, len(formulas))
	for i, g := range formulas {
		list[i] = t.of(g, r)
	}
	return list
}

// literalsFirst returns operands with the literals first, in the order of variables if
// it is fixed: of any number of them, junction makes one node each then.
func (t *tableau) literalsFirst(operands []*ltl.Formula) []*ltl.Formula {
	if t.interleaved {
		return operands
	}
	key := func(f *ltl.Formula) int {
		if f.Operator() == logic.Not {
			f = f.Operands()[0]
		}
		if f.Operator() == ltl.Atom {
			return f.Proposition()
		}
		return t.propositions
	}
	sorted := slices.Clone(operands)
	slices.SortStableFunc(sorted, func(f, g *ltl.Formula) int { return key(f) - key(g) })
	return sorted
}

// junction combines functions, from the last on: its first variables are the
// last, below which diagrams grow least.
func junction(combine func(g, h bdd.Function) bdd.Function, m bdd.Function, list []bdd.Function) bdd.Function {
	for i := len(list) - 1; i >= 0; i-- {
		m = combine(list[i], m)
	}
	return m
}

// asked returns the function that f is asked of the next position. A conjunction is
// asked part by part.
func (t *tableau) asked(f *ltl.Formula) bdd.Function {
	switch f.Operator() {
	case logic.True:
		return bdd.TrueFunction
	case logic.False:
		return bdd.FalseFunction
	case logic.And:
		return junction(t.functions.And, bdd.TrueFunction, t.eachAsked(f.Operands()))
	case logic.Or:
		if t.divided {
			return junction(t.functions.Or, bdd.FalseFunction, t.eachAsked(f.Operands()))
		}
	}
	v, known := t.next[f]
	if !known {
		v = t.variable(f, -1)
		t.next[f] = v
	}
	return t.functions.Proposition(v)
}

// eachAsked returns the functions that these formulas are asked of the next position.
func (t *tableau) eachAsked(formulas []*ltl.Formula) []bdd.Function {
	list := make([]bdd.Function, len(formulas))
	for i, f := range formulas {
		list[i] = t.asked(f)
	}
	return list
}

// promised returns the function that the edge promises f for later.
func (t *tableau) promised(f *ltl.Formula) bdd.Function {
	if t.ending {
		return bdd.TrueFunction
	}
	v, known := t.promise[f]
	if !known {
		v = t.variable(nil, t.sets)
		t.promise[f] = v
		t.sets++
	}
	return t.functions.Proposition(v)
}

// atom returns the function that is proposition p.
func (t *tableau) atom(p int) bdd.Function {
	if t.atoms[p] < 0 {
		t.atoms[p] = t.variable(nil, -1)
	}
	return t.functions.Proposition(t.atoms[p])
}

// variable returns a new one, of a formula asked of the next position, of a promise, or
// of neither. Beyond the limit there is no variable, and the automaton is of no use.
func (t *tableau) variable(next *ltl.Formula, set int) int {
	room := demandLimit
	if t.interleaved { // with the propositions among them
		room += t.propositions
	}
	if len(t.nextOf) == room {
		t.full = true
		return t.first + room - 1
	}
	t.nextOf = append(t.nextOf, next)
	t.promiseOf = append(t.promiseOf, set)
	return t.first + len(t.nextOf) - 1
}

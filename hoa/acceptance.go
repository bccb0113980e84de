package hoa

import (
	"slices"
	"strconv"
	"strings"

	"pnmc/automata"
)

// condition returns the acceptance condition of a header, with operators inside the
// same operator joined. Its recursion is bounded by headerNestingBound.
func (r *Reader) condition(d *acceptanceDisjunction, sets int) *automata.Condition {
	or := make([]*automata.Condition, len(d.Operands))
	for i, c := range d.Operands {
		and := make([]*automata.Condition, len(c.Operands))
		for j, a := range c.Operands {
			and[j] = r.acceptanceAtom(a, sets)
		}
		or[i] = join(automata.ConditionAnd, and)
	}
	return join(automata.ConditionOr, or)
}

// acceptanceAtom returns an atom of an acceptance condition, such as Fin(!2). A set that is not
// announced is reported, and the condition is read on, so that further mistakes are found.
func (r *Reader) acceptanceAtom(a *acceptanceAtom, sets int) *automata.Condition {
	switch {
	case a.Group != nil:
		return r.condition(a.Group, sets)
	case a.Constant == "t":
		return &automata.Condition{Operator: automata.ConditionTrue}
	case a.Constant == "f":
		return &automata.Condition{Operator: automata.ConditionFalse}
	}
	if a.Set >= sets {
		r.report(r.place(a.Pos), "acceptance set %d, but Acceptance: announces %d", a.Set, sets)
	}
	c := &automata.Condition{Operator: automata.Inf, Set: a.Set, Negated: a.Negated}
	if a.Operator == "Fin" {
		c.Operator = automata.Fin
	}
	return c
}

// join combines one or more conditions, those of the same operator becoming
// part of the result.
func join(operator automata.ConditionOperator, operands []*automata.Condition) *automata.Condition {
	if len(operands) == 1 {
		return operands[0]
	}
	c := &automata.Condition{Operator: operator}
	for _, o := range operands {
		if o.Operator == operator {
			c.Operands = append(c.Operands, o.Operands...)
		} else {
			c.Operands = append(c.Operands, o)
		}
	}
	return c
}

// nameAcceptance gives the acceptance condition its name. The condition is what
// counts: a name that doesn't fit is warned of and dropped, one that the format
// doesn't define is dropped. A condition without a name gets one if the format has one for it.
func (r *Reader) nameAcceptance() {
	h := &r.header
	if h.acceptance.IsGeneralizedBuchi() {
		h.acceptance.Name = automata.GeneralizedBuchi(h.acceptance.Sets).Name
		if h.accName == nil || strings.Join(append([]string{h.accName.Name}, h.accName.Parameters...), " ") == h.acceptance.Name {
			return
		}
	}
	if h.accName != nil {
		name := strings.Join(append([]string{h.accName.Name}, h.accName.Parameters...), " ")
		fits, known := isNamed(h.acceptance, h.accName.Name, h.accName.Parameters)
		if fits {
			h.acceptance.Name = name
			return
		}
		if known {
			r.warn(h.accAt, "acc-name: %s is not the name of the condition that Acceptance: gives, and is ignored", name)
		}
	}
	h.acceptance.Name = acceptanceName(h.acceptance)
}

// acceptanceName returns the name and parameters that the format has for a
// condition, or empty.
func acceptanceName(a automata.Acceptance) string {
	n := strconv.Itoa(a.Sets)
	candidates := []string{"all", "none", "Buchi", "co-Buchi", "generalized-Buchi " + n, "generalized-co-Buchi " + n}
	if a.Sets%2 == 0 {
		pairs := strconv.Itoa(a.Sets / 2)
		candidates = append(candidates, "Rabin "+pairs, "Streett "+pairs)
	}
	if len(a.Condition.Operands) == 2 {
		candidates = append(candidates, "parity max even "+n, "parity max odd "+n, "parity min even "+n, "parity min odd "+n)
	}
	for _, candidate := range candidates {
		words := strings.Fields(candidate)
		if fits, _ := isNamed(a, words[0], words[1:]); fits {
			return candidate
		}
	}
	return ""
}

// isNamed reports whether a has the form that the format gives to a name (fits), and
// whether the format gives a form to that name at all (known).
//
// It builds the condition that the name stands for, and compares the two as texts with sorted
// operands. For example, "Rabin 1" is Fin(0) & Inf(1), and Inf(1) & Fin(0) is the same. Conditions
// that mean the same in other ways do not fit. But for two, all named conditions have each set
// exactly once: most conditions are told apart by that, before anything is built.
func isNamed(a automata.Acceptance, name string, parameters []string) (fits, known bool) {
	if leaves(a.Condition) != a.Sets && name != "all" && name != "none" {
		_, known = namedConditions(name, parameters, 0)
		return false, known
	}
	forms, known := namedConditions(name, parameters, a.Sets)
	if len(forms) == 0 {
		return false, known
	}
	key := canonicalText(a.Condition)
	return slices.ContainsFunc(forms, func(c *automata.Condition) bool { return canonicalText(c) == key }), known
}

// leaves returns the number of Inf and Fin in c.
func leaves(c *automata.Condition) int {
	n := 0
	if c.Operator == automata.Inf || c.Operator == automata.Fin {
		n = 1
	}
	for _, o := range c.Operands {
		n += leaves(o)
	}
	return n
}

// namedConditions returns the forms that a named condition may have over that many
// sets, none if it needs another number of sets. It reports false for an unknown name. Only Streett
// has two forms, as versions 1 and 1.1 of the format differ in its pairs.
func namedConditions(name string, parameters []string, sets int) ([]*automata.Condition, bool) {
	needs, words := 0, 0 // sets, and parameters
	var build func() []*automata.Condition
	number := func(i int) int { // of the i-th parameter; -1 if there is none
		if i >= len(parameters) {
			return -1
		}
		n, err := strconv.Atoi(parameters[i])
		if err != nil {
			return -1
		}
		return n
	}
	one := func(f func() *automata.Condition) func() []*automata.Condition {
		return func() []*automata.Condition { return []*automata.Condition{f()} }
	}
	switch name {
	case "all":
		build = one(func() *automata.Condition { return &automata.Condition{Operator: automata.ConditionTrue} })
	case "none":
		build = one(func() *automata.Condition { return &automata.Condition{Operator: automata.ConditionFalse} })
	case "Buchi":
		needs, build = 1, one(func() *automata.Condition { return leaf(automata.Inf, 0) })
	case "co-Buchi":
		needs, build = 1, one(func() *automata.Condition { return leaf(automata.Fin, 0) })
	case "generalized-Buchi":
		needs, words, build = number(0), 1, one(func() *automata.Condition { return sequence(automata.ConditionAnd, automata.Inf, 0, sets) })
	case "generalized-co-Buchi":
		needs, words, build = number(0), 1, one(func() *automata.Condition { return sequence(automata.ConditionOr, automata.Fin, 0, sets) })
	case "Rabin":
		needs, words, build = 2*number(0), 1, one(func() *automata.Condition {
			return pairs(automata.ConditionOr, automata.ConditionAnd, automata.Fin, automata.Inf, sets)
		})
	case "Streett": // the pairs are the other way round since version 1.1
		needs, words, build = 2*number(0), 1, func() []*automata.Condition {
			return []*automata.Condition{
				pairs(automata.ConditionAnd, automata.ConditionOr, automata.Fin, automata.Inf, sets),
				pairs(automata.ConditionAnd, automata.ConditionOr, automata.Inf, automata.Fin, sets),
			}
		}
	case "generalized-Rabin":
		return generalizedRabin(parameters, sets), true
	case "parity":
		if len(parameters) != 3 || number(2) != sets || sets > headerNestingBound ||
			!slices.Contains([]string{"max", "min"}, parameters[0]) || !slices.Contains([]string{"odd", "even"}, parameters[1]) {
			return nil, true
		}
		return []*automata.Condition{parity(parameters[0] == "max", parameters[1] == "odd", sets)}, true
	default:
		return nil, false
	}
	if needs != sets || words != len(parameters) {
		return nil, true
	}
	return build(), true
}

// leaf returns the condition of one set, Fin or Inf.
func leaf(operator automata.ConditionOperator, set int) *automata.Condition {
	return &automata.Condition{Operator: operator, Set: set}
}

// sequence combines the sets first ≤ i < end.
func sequence(operator, each automata.ConditionOperator, first, end int) *automata.Condition {
	operands := make([]*automata.Condition, 0, end-first)
	for i := first; i < end; i++ {
		operands = append(operands, leaf(each, i))
	}
	return combine(operator, operands)
}

// combine joins operands as join does, and for no operands returns the neutral element.
func combine(operator automata.ConditionOperator, operands []*automata.Condition) *automata.Condition {
	if len(operands) > 0 {
		return join(operator, operands)
	}
	if operator == automata.ConditionAnd {
		return &automata.Condition{Operator: automata.ConditionTrue}
	}
	return &automata.Condition{Operator: automata.ConditionFalse}
}

// pairs combines the sets two by two.
func pairs(outer, inner, even, odd automata.ConditionOperator, sets int) *automata.Condition {
	var operands []*automata.Condition
	for i := 0; i+1 < sets; i += 2 {
		operands = append(operands, join(inner, []*automata.Condition{leaf(even, i), leaf(odd, i+1)}))
	}
	return combine(outer, operands)
}

// generalizedRabin has a number of disjuncts, and for each how many Inf it has
// beside one Fin.
func generalizedRabin(parameters []string, sets int) []*automata.Condition {
	var operands []*automata.Condition
	next := 0
	for _, p := range parameters[min(1, len(parameters)):] {
		n, err := strconv.Atoi(p)
		if err != nil || n >= sets-next {
			return nil
		}
		and := []*automata.Condition{leaf(automata.Fin, next)}
		for i := next + 1; i <= next+n; i++ {
			and = append(and, leaf(automata.Inf, i))
		}
		operands = append(operands, join(automata.ConditionAnd, and))
		next += n + 1
	}
	if next != sets || len(parameters) == 0 || parameters[0] != strconv.Itoa(len(operands)) {
		return nil
	}
	return []*automata.Condition{combine(automata.ConditionOr, operands)}
}

// parity says that the largest or smallest set seen infinitely often is odd or even. It
// is built from the innermost set outwards: a set of the wanted parity is one more way
// to accept, and any other set must not be seen. For example, parity max odd 4 is
//
//	Inf(3) | (Fin(2) & (Inf(1) | Fin(0)))
//
// where set 3 decides if it is seen, otherwise set 2, and so on.
func parity(maximum, odd bool, sets int) *automata.Condition {
	c := &automata.Condition{Operator: automata.ConditionFalse}
	if odd {
		c.Operator = automata.ConditionTrue
	}
	for k := range sets {
		set := k
		if !maximum {
			set = sets - 1 - k
		}
		operator, each := automata.ConditionAnd, automata.Fin
		if (set%2 == 1) == odd {
			operator, each = automata.ConditionOr, automata.Inf
		}
		if k == 0 {
			c = leaf(each, set)
		} else {
			c = &automata.Condition{Operator: operator, Operands: []*automata.Condition{leaf(each, set), c}}
		}
	}
	return c
}

// canonicalText returns the same for two conditions exactly when they differ in the
// order of operands at most. Nested parity conditions are long chains, so each
// operand's text is made once and moved along by its length at most: quadratic
// at worst, for depths up to headerNestingBound.
func canonicalText(c *automata.Condition) string {
	switch c.Operator {
	case automata.ConditionTrue:
		return "t"
	case automata.ConditionFalse:
		return "f"
	case automata.Inf, automata.Fin:
		return c.String()
	}
	texts := make([]string, len(c.Operands))
	for i, o := range c.Operands {
		texts[i] = canonicalText(o)
	}
	slices.Sort(texts)
	separator := "&"
	if c.Operator == automata.ConditionOr {
		separator = "|"
	}
	return "(" + strings.Join(texts, separator) + ")"
}

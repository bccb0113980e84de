package complement

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"pnmc/automata"
	"pnmc/automata/internal/effort"
	"pnmc/automata/internal/marked"
	"pnmc/internal/bitset"
)

// Bounds of a disjunctive form: of its disjuncts, and of the words that hold them (64 MB).
const (
	maxDisjuncts     = 1 << 12
	maxDisjunctWords = 1 << 23
	// disjunctWork bounds the words of disjuncts that are made, most of which may be the same:
	// some seconds.
	disjunctWork = 1 << 28
)

// ErrConditionTooLarge means that a condition has a larger disjunctive form than can be
// held: that of a conjunction of disjunctions, such as Streett's, may be exponential.
var ErrConditionTooLarge = error(&tooLarge{"acceptance condition with more than %d disjuncts", maxDisjuncts})

// tooLarge is the error of a limit that was reached.
type tooLarge struct {
	text  string // with the limit as %d
	limit int
}

// Error returns the text.
func (e *tooLarge) Error() string { return fmt.Sprintf(e.text, e.limit) }

// disjunctiveForm returns the disjuncts of the condition of a, each a conjunction of Inf and Fin.
// It makes them as few as the edges of a allow:
//
//   - sets with the same edges count as one;
//   - a set with all edges of a or with none is no question any more: its literals are constants;
//   - a disjunct with Inf and Fin of one set is false, and is left out;
//   - a disjunct that says more than another is left out, where a conjunction is multiplied out.
//
// For example, (Fin(0) | Inf(1)) & (Fin(2) | Inf(3)), Streett's condition with two pairs, has four
// disjuncts, and 2^n with n pairs. If sets 0 and 2 have the same edges, the form is Fin(0) |
// Fin(0) & Inf(3) | Fin(0) & Inf(1) | Inf(1) & Inf(3) at first. The two in the middle say more than
// Fin(0), and two disjuncts are left.
//
// It takes at most |edges|·|sets| bits of memory, and the bounds above. An error is
// ErrConditionTooLarge, or that of the context.
func disjunctiveForm(ctx context.Context, a *automata.Automaton) ([]buchiDisjunct, error) {
	f := &disjunctiveFormer{Bound: effort.New(ctx, disjunctWork), number: map[literalKey]int{}, classes: setClasses(a)}
	f.enumerate(a.Acceptance.Condition)
	f.words = bitset.WordsFor(len(f.literals))
	found, err := f.disjuncts(a.Acceptance.Condition)
	if err != nil {
		return nil, err
	}
	list := make([]buchiDisjunct, len(found))
	for i, d := range found {
		for n, l := range f.literals {
			switch {
			case !bitset.Has(d, n):
			case l.Operator == automata.Inf:
				list[i].inf = append(list[i].inf, l)
			default:
				list[i].fin = append(list[i].fin, l)
			}
		}
	}
	return list, nil
}

// setClass holds of a set which is the first with the same edges, and whether it has all
// edges or none.
type setClass struct {
	first     int
	all, none bool
}

// setClasses returns the classes of all sets of a. A set is a column of bits, one for each edge.
func setClasses(a *automata.Automaton) []setClass {
	words := bitset.WordsFor(a.Edges())
	columns := make([]uint64, a.Acceptance.Sets*words)
	for e := range automata.Edge(a.Edges()) {
		for _, set := range members(a.Marks(e)) {
			bitset.Add(columns[set*words:], e)
		}
	}
	classes := make([]setClass, a.Acceptance.Sets)
	known := map[string]int{}
	for set := range classes {
		column := columns[set*words : (set+1)*words]
		key := string(bitset.Key(column))
		first, again := known[key]
		if !again {
			known[key], first = set, set
		}
		c := setClass{first: first, all: true, none: true}
		for e := range a.Edges() {
			in := bitset.Has(column, e)
			c.all, c.none = c.all && in, c.none && !in
		}
		classes[set] = c
	}
	return classes
}

// members returns the sets in m, ascending.
func members(m automata.Marks) []int {
	var sets []int
	for i, w := range m {
		for _, bit := range marked.Members(w) {
			sets = append(sets, 64*i+bit)
		}
	}
	return sets
}

// literalKey is what makes two literals of a condition the same.
type literalKey struct {
	operator automata.ConditionOperator
	set      int
	negated  bool
}

// disjunctiveFormer makes a disjunctive form: each disjunct is a set of literals by their
// numbers, words words of bits.
type disjunctiveFormer struct {
	*effort.Bound
	classes  []setClass
	literals []*automata.Condition
	number   map[literalKey]int
	words    int
}

// literal returns c as Inf or Fin about the first set with the same edges, or as a constant.
func (f *disjunctiveFormer) literal(c *automata.Condition) (key literalKey, constant, value bool) {
	class := f.classes[c.Set]
	if class.all || class.none {
		// Either all edges are in the set, or none is; some edge recurs in every run.
		seen := class.all != c.Negated
		return key, true, seen == (c.Operator == automata.Inf)
	}
	return literalKey{c.Operator, class.first, c.Negated}, false, false
}

// enumerate gives numbers to the literals of c.
func (f *disjunctiveFormer) enumerate(c *automata.Condition) {
	if c.Operator == automata.Inf || c.Operator == automata.Fin {
		key, constant, _ := f.literal(c)
		if _, known := f.number[key]; !known && !constant {
			f.number[key] = len(f.literals)
			f.literals = append(f.literals, &automata.Condition{Operator: key.operator, Set: key.set, Negated: key.negated})
		}
	}
	for _, o := range c.Operands {
		f.enumerate(o)
	}
}

// disjuncts returns the disjuncts of c; none if c is false, and an empty one if it is true.
func (f *disjunctiveFormer) disjuncts(c *automata.Condition) ([][]uint64, error) {
	switch c.Operator {
	case automata.ConditionTrue:
		return [][]uint64{make([]uint64, f.words)}, nil
	case automata.Inf, automata.Fin:
		d := make([]uint64, f.words)
		key, constant, value := f.literal(c)
		if constant && !value {
			return nil, nil
		}
		if !constant {
			n := f.number[key]
			bitset.Add(d, n)
		}
		return [][]uint64{d}, nil
	case automata.ConditionOr:
		var all [][]uint64
		for _, o := range c.Operands {
			d, err := f.disjuncts(o)
			if err != nil {
				return nil, err
			}
			if all = append(all, d...); f.tooMany(len(all)) {
				if all = distinct(all); f.tooMany(len(all)) {
					return nil, ErrConditionTooLarge
				}
			}
		}
		return distinct(all), nil
	case automata.ConditionAnd:
		return f.conjunction(c.Operands)
	}
	return nil, nil
}

// conjunction returns the disjuncts of a conjunction: all ways to take one disjunct of each operand.
// Literals among the operands go first, so that contradictions show before anything is multiplied.
func (f *disjunctiveFormer) conjunction(operands []*automata.Condition) ([][]uint64, error) {
	common := make([]uint64, f.words) // the literals among the operands
	var others []*automata.Condition
	for _, o := range operands {
		if o.Operator != automata.Inf && o.Operator != automata.Fin {
			others = append(others, o)
			continue
		}
		key, constant, value := f.literal(o)
		switch {
		case constant && !value:
			return nil, nil
		case !constant:
			n := f.number[key]
			bitset.Add(common, n)
		}
	}
	if f.contradictory(common) {
		return nil, nil
	}
	all := [][]uint64{common}
	for _, o := range others {
		d, err := f.disjuncts(o)
		if err != nil {
			return nil, err
		}
		var combined [][]uint64
		known := map[string]bool{}
		for _, x := range all {
			for _, y := range d {
				if !f.Spend(8 * (f.words + 4)) {
					return nil, f.ended()
				}
				both := slices.Clone(x)
				for i, w := range y {
					both[i] |= w
				}
				if key := string(bitset.Key(both)); !known[key] && !f.contradictory(both) {
					known[key] = true
					combined = append(combined, both)
				}
				if f.tooMany(len(combined)) {
					return nil, ErrConditionTooLarge
				}
			}
		}
		if all = combined; len(all) <= maxAbsorbed && f.Spend(len(all)*len(all)*(f.words+1)) {
			all = absorbed(all)
		}
	}
	return all, nil
}

// ended returns why the effort ended.
func (f *disjunctiveFormer) ended() error {
	if errors.Is(f.Err, effort.ErrSpent) {
		return ErrConditionTooLarge
	}
	return f.Err
}

// tooMany reports whether so many disjuncts, or the words that they take, are beyond the limits.
func (f *disjunctiveFormer) tooMany(disjuncts int) bool {
	return disjuncts > maxDisjuncts || disjuncts > maxDisjunctWords/max(1, f.words)
}

// contradictory reports whether d has Inf and Fin of one set.
func (f *disjunctiveFormer) contradictory(d []uint64) bool {
	for i, w := range d {
		for _, bit := range marked.Members(w) {
			l := f.literals[64*i+bit]
			if l.Operator != automata.Inf {
				continue
			}
			if n, known := f.number[literalKey{automata.Fin, l.Set, l.Negated}]; known && bitset.Has(d, n) {
				return true
			}
		}
	}
	return false
}

// maxAbsorbed is the number of disjuncts that are compared with one another.
const maxAbsorbed = 1 << 9

// absorbed returns different disjuncts without those that say more than another: that have all its
// literals and others.
func absorbed(all [][]uint64) [][]uint64 {
	var kept [][]uint64
	for _, d := range all {
		saysMore := slices.ContainsFunc(all, func(other []uint64) bool {
			return !slices.Equal(other, d) && !addsBit(other, d)
		})
		if !saysMore {
			kept = append(kept, d)
		}
	}
	return kept
}

// addsBit reports whether a has a bit that b has not.
func addsBit(a, b []uint64) bool {
	for i, w := range a {
		if w&^b[i] != 0 {
			return true
		}
	}
	return false
}

// distinct returns the disjuncts without those that come twice.
func distinct(all [][]uint64) [][]uint64 {
	known := map[string]bool{}
	return slices.DeleteFunc(all, func(d []uint64) bool {
		key := string(bitset.Key(d))
		again := known[key]
		known[key] = true
		return again
	})
}

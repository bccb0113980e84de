package logic

import (
	"errors"
	"reflect"
	"strings"
	"testing"

	"pnmc/logic/internal/logictest"
)

func TestParsePredicate(t *testing.T) {
	logictest.Golden(t, "predicates.txt", func(line string) string {
		p, err := ParsePredicate(line, logictest.Names)
		if err != nil {
			t.Errorf("%s: %v", line, err)
			return err.Error()
		}
		text := p.Text(logictest.Names)
		again, err := ParsePredicate(text, logictest.Names)
		if err != nil {
			t.Errorf("%s prints as %s: %v", line, text, err)
		} else if !reflect.DeepEqual(p, again) {
			t.Errorf("%s prints as %s, which prints as %s", line, text, again.Text(logictest.Names))
		}
		return text
	})
}

func TestParsePredicateErrors(t *testing.T) {
	logictest.Golden(t, "predicate_errors.txt", func(line string) string {
		p, err := ParsePredicate(line, logictest.Names)
		var syntax *SyntaxError
		if !errors.As(err, &syntax) {
			t.Errorf("%s: got %v and error %v, want a syntax error", line, p, err)
			return "accepted"
		}
		if syntax.Line != 1 || len([]rune(line[:syntax.Offset]))+1 != syntax.Column {
			t.Errorf("%s: offset %d is not column %d", line, syntax.Offset, syntax.Column)
		}
		return err.Error()
	})
}

// The tree a proposition becomes, spelled out for each operator.
func TestPredicateTrees(t *testing.T) {
	one := func(place uint32, coefficient, constant int64, operator Operator) *Predicate {
		return &Predicate{Operator: operator,
			Sum: Sum{Constant: constant, Terms: []Term{{place, coefficient}}}}
	}
	p := one(0, -1, 1, AtMost)
	for text, want := range map[string]*Predicate{
		"p":                 p,
		"p >= 1":            p,
		"p > 0":             p,
		"0 < p":             p,
		"p <= 3":            one(0, 1, -3, AtMost),
		"p < 3":             one(0, 1, -2, AtMost),
		"p == 3":            one(0, 1, -3, Equal),
		"3 = p":             one(0, 1, -3, Equal),
		"p != 3":            negate(one(0, 1, -3, Equal)),
		"!p":                negate(p),
		"p & p":             {Operator: And, Operands: []*Predicate{p, p}},
		"p | p":             {Operator: Or, Operands: []*Predicate{p, p}},
		"p -> p":            {Operator: Or, Operands: []*Predicate{negate(p), p}},
		"p <-> p":           {Operator: Equivalent, Operands: []*Predicate{p, p}},
		"p xor p":           negate(&Predicate{Operator: Equivalent, Operands: []*Predicate{p, p}}),
		"deadlock":          {Operator: Deadlocked},
		"true":              {Operator: True},
		"false":             {Operator: False},
		"p2-p<=p1":          {Operator: AtMost, Sum: Sum{Terms: []Term{{0, -1}, {1, -1}, {2, 1}}}},
		"fireable(t1,t,t1)": {Operator: Fireable, Transitions: []uint32{0, 1}},
	} {
		got, err := ParsePredicate(text, logictest.Names)
		if err != nil {
			t.Errorf("%s: %v", text, err)
		} else if !reflect.DeepEqual(got, want) {
			t.Errorf("%s: got %s, want %s", text, got.Text(logictest.Names), want.Text(logictest.Names))
		}
	}
}

func TestNestingIsBounded(t *testing.T) {
	deep := func(n int) string { return strings.Repeat("(", n) + "p" + strings.Repeat(")", n) }
	accepted := []string{
		deep(MaximumNesting),
		strings.Repeat("!", maximumDepth) + "p",
		strings.Repeat("p -> ", maximumDepth/2) + "p",
		strings.Repeat("p & ", 5000) + "p",
		"1" + strings.Repeat(" + p", 5000) + " <= 3",
	}
	for _, text := range accepted {
		p, err := ParsePredicate(text, logictest.Names)
		if err != nil {
			t.Errorf("%.20s…: %v", text, err)
			continue
		}
		if _, err := ParsePredicate(p.Text(logictest.Names), logictest.Names); err != nil {
			t.Errorf("%.20s…: %v", text, err)
		}
	}
	refused := []string{
		deep(MaximumNesting + 1),
		strings.Repeat("(", 1<<17),
		strings.Repeat("!", 1<<17) + "p",
		strings.Repeat("p -> ", 1<<12) + "p",
		strings.Repeat("p xor ", 1<<12) + "p",
		strings.Repeat(strings.Repeat("!", 10)+"(", MaximumNesting-1) + "p" + strings.Repeat(")", MaximumNesting-1),
	}
	for _, text := range refused {
		if _, err := ParsePredicate(text, logictest.Names); err == nil {
			t.Errorf("%.20s… of %d bytes is accepted", text, len(text))
		}
	}
}

func BenchmarkParsePredicate(b *testing.B) {
	text := strings.Repeat("(p1 + 2*p2 <= 3 & is-fireable(t, t1)) | ", 100) + "deadlock"
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		if _, err := ParsePredicate(text, logictest.Names); err != nil {
			b.Fatal(err)
		}
	}
}

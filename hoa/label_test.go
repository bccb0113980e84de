package hoa

import (
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"pnmc/automata"
)

// drawnLabel is a label expression as text, with its meaning.
type drawnLabel struct {
	text  string
	holds func(v uint64) bool
}

// drawLabel draws an expression over that many propositions and the aliases
// given, with as few or many parentheses and blanks as come.
func drawLabel(t *rapid.T, propositions, depth int, aliases []drawnLabel) drawnLabel {
	kinds := []string{"constant", "proposition"}
	if len(aliases) > 0 {
		kinds = append(kinds, "alias")
	}
	if depth > 0 {
		kinds = append(kinds, "not", "and", "or", "and", "or")
	}
	blank := func() string { return rapid.SampledFrom([]string{"", " ", "\n", "/* ! */"}).Draw(t, "blank") }
	operand := func() drawnLabel {
		l := drawLabel(t, propositions, depth-1, aliases)
		return drawnLabel{"(" + blank() + l.text + blank() + ")", l.holds}
	}
	switch rapid.SampledFrom(kinds).Draw(t, "kind") {
	case "constant":
		if rapid.Bool().Draw(t, "value") {
			return drawnLabel{"t", func(uint64) bool { return true }}
		}
		return drawnLabel{"f", func(uint64) bool { return false }}
	case "alias":
		i := rapid.IntRange(0, len(aliases)-1).Draw(t, "alias")
		return drawnLabel{fmt.Sprintf("@%d", i), aliases[i].holds}
	case "not":
		l := operand()
		return drawnLabel{"!" + blank() + l.text, func(v uint64) bool { return !l.holds(v) }}
	case "and":
		l, r := operand(), operand()
		return drawnLabel{l.text + blank() + "&" + r.text, func(v uint64) bool { return l.holds(v) && r.holds(v) }}
	case "or":
		l, r := operand(), operand()
		return drawnLabel{l.text + "|" + blank() + r.text, func(v uint64) bool { return l.holds(v) || r.holds(v) }}
	}
	p := rapid.IntRange(0, propositions-1).Draw(t, "proposition")
	return drawnLabel{fmt.Sprint(p), func(v uint64) bool { return v>>p&1 == 1 }}
}

// TestLabelsMeanWhatTheySay compares labels, as edges and state labels and
// aliases, with their evaluation.
func TestLabelsMeanWhatTheySay(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		const propositions = 5
		var aliases []drawnLabel
		var text strings.Builder
		text.WriteString("HOA: v1 Acceptance: 0 t\n")
		for i := range rapid.IntRange(0, 3).Draw(t, "aliases") {
			l := drawLabel(t, propositions, 3, aliases)
			fmt.Fprintf(&text, "Alias: @%d %s\n", i, l.text)
			aliases = append(aliases, l)
		}
		text.WriteString("AP: 5 \"a\" \"b\" \"c\" \"d\" \"e\"\n--BODY--\n")
		var labels []drawnLabel
		for s := range rapid.IntRange(1, 4).Draw(t, "states") {
			l := drawLabel(t, propositions, 4, aliases)
			labels = append(labels, l)
			if rapid.Bool().Draw(t, "state label") {
				fmt.Fprintf(&text, "State: [%s] %d 0\n", l.text, s)
			} else {
				fmt.Fprintf(&text, "State: %d [%s] 0\n", s, l.text)
			}
		}
		text.WriteString("--END--")
		a, err := NewReader(strings.NewReader(text.String()), "").Read()
		if err != nil {
			t.Fatalf("%v in\n%s", err, text.String())
		}
		for s, l := range labels {
			for v := range uint64(1) << propositions {
				matches := false
				for e, end := a.Out(automata.State(s)); e < end; e++ {
					matches = matches || a.Matches(e, automata.Valuation{v})
				}
				if matches != l.holds(v) {
					t.Fatalf("state %d and valuation %b: %t, want %t in\n%s", s, v, matches, l.holds(v), text.String())
				}
			}
		}
	})
}

// TestPrecedence has expressions without parentheses.
func TestPrecedence(t *testing.T) {
	for text, want := range map[string]func(a, b, c bool) bool{
		"!0 & 1 | 2":       func(a, b, c bool) bool { return !a && b || c },
		"0 | 1 & 2":        func(a, b, c bool) bool { return a || b && c },
		"0 & !1 | !2 & 1":  func(a, b, c bool) bool { return a && !b || !c && b },
		"!!0 | !!!1":       func(a, b, c bool) bool { return a || !b },
		"0&1&2":            func(a, b, c bool) bool { return a && b && c },
		"0|1|2":            func(a, b, c bool) bool { return a || b || c },
		"!(0|1)&2":         func(a, b, c bool) bool { return !a && !b && c },
		"(0|1)&(1|2)|!0&f": func(a, b, c bool) bool { return (a || b) && (b || c) },
	} {
		source := fmt.Sprintf("HOA: v1 AP: 3 \"a\" \"b\" \"c\" Alias: @x %s Acceptance: 0 t --BODY-- State: 0 [%s] 0 State: 1 [@x] 0 --END--", text, text)
		a, err := NewReader(strings.NewReader(source), "").Read()
		if err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		for e := range automata.Edge(a.Edges()) {
			for v := range uint64(8) {
				if got := a.Matches(e, automata.Valuation{v}); got != want(v&1 == 1, v&2 == 2, v&4 == 4) {
					t.Errorf("%s, edge %d, valuation %03b: %t", text, e, v, got)
				}
			}
		}
	}
}

package hoa

import (
	"fmt"
	"strings"
	"testing"

	"pnmc/automata"
)

// TestLargeLabels has labels whose sums of products, or decision diagrams, or
// both are too large: they are refused, or found another way.
func TestLargeLabels(t *testing.T) {
	var names, pairs, parity, many strings.Builder
	for i := range 40 {
		fmt.Fprintf(&names, " \"p%d\"", i)
	}
	fmt.Fprintf(&parity, "Alias: @x0 0\n")
	for i := 1; i < 40; i++ {
		fmt.Fprintf(&parity, "Alias: @x%d @x%d & !%d | !@x%d & %d\n", i, i-1, i, i-1, i)
	}
	for i := range 20 {
		fmt.Fprintf(&pairs, "(%d | %d) & ", i, i+20)
	}
	many.WriteString("(0")
	for i := range 20_000 {
		fmt.Fprintf(&many, " | %d&%d", i%40, i/40%40)
	}
	many.WriteString(")" + strings.Repeat(" & (1 | 2 | 3)", 50) + strings.Repeat(" & 0", 20_000))
	for _, c := range []struct{ name, aliases, label, want string }{
		{"diagram with 2^20 nodes", "", pairs.String() + "t", "this label is too large"},
		{"sum with 2^39 products", parity.String(), "@x39", "this label is too large"},
		{"but the diagram is small", parity.String(), "@x39 & !@x39 | @x39 & @x38 & !39 & !@x37 & !38", "<nil>"},
		{"many conjunctions", "", many.String(), "<nil>"},
	} {
		text := "HOA: v1 AP: 40" + names.String() + " Acceptance: 0 t\n" + c.aliases + "--BODY-- State: 0 [" + c.label + "] 0 --END--"
		a, err := NewReader(strings.NewReader(text), "").Read()
		if !strings.Contains(fmt.Sprint(err), c.want) {
			t.Errorf("%s: got %v, want %s", c.name, err, c.want)
		}
		if err == nil && a.Edges() > 1 {
			t.Errorf("%s: %d edges", c.name, a.Edges())
		}
	}
}

// TestLabelAfterLargeOne has a label too large, which must not spoil the next.
func TestLabelAfterLargeOne(t *testing.T) {
	var aliases strings.Builder
	aliases.WriteString("Alias: @x0 0\n")
	for i := 1; i < 30; i++ {
		fmt.Fprintf(&aliases, "Alias: @x%d @x%d & !%d | !@x%d & %d\n", i, i-1, i, i-1, i)
	}
	text := "HOA: v1 AP: 30"
	for i := range 30 {
		text += fmt.Sprintf(" \"p%d\"", i)
	}
	text += " Acceptance: 0 t\n" + aliases.String() + "--BODY--\nState: 0 [@x29] 0\nState: 1 [@x29 & @x5] 0\nState: 2 [(0|1) & (2|3)] 0 --END--"
	_, err := NewReader(strings.NewReader(text), "").Read()
	if err == nil || err.Error() != fmt.Sprintf("33:10: %v\n34:10: %v", errLabelTooLarge, errLabelTooLarge) {
		t.Errorf("got %v", err)
	}
}

// TestManyAliases has aliases that need decision diagrams, each used once.
func TestManyAliases(t *testing.T) {
	const n = 4_000
	var text strings.Builder
	text.WriteString("HOA: v1 AP: 4 \"a\" \"b\" \"c\" \"d\" Acceptance: 0 t\n")
	for i := range n {
		fmt.Fprintf(&text, "Alias: @x%d (%d | !%d) & (%d | %d)\n", i, i%4, (i+1)%4, (i+2)%4, (i+3)%4)
	}
	text.WriteString("--BODY-- State: 0\n")
	for i := range n {
		fmt.Fprintf(&text, "[!@x%d] 0\n", i)
	}
	text.WriteString("--END--")
	a, err := NewReader(strings.NewReader(text.String()), "").Read()
	if err != nil || a.Edges() != n {
		t.Fatal(err)
	}
	for e := range automata.Edge(n) {
		i := int(e)
		for v := range 16 {
			holds := func(p int) bool { return v>>(p%4)&1 == 1 }
			want := !((holds(i) || !holds(i+1)) && (holds(i+2) || holds(i+3)))
			if a.Matches(e, automata.Valuation{uint64(v)}) != want {
				t.Fatalf("edge %d, valuation %04b: not %t", e, v, want)
			}
		}
	}
}

// TestManyMarksAreBounded has few bytes that ask for gigabytes of marks.
func TestManyMarksAreBounded(t *testing.T) {
	text := "HOA: v1 Acceptance: 1048576 t --BODY-- State: 0\n" + strings.Repeat("[t] 0 {1048575}\n", 5000) +
		"--END-- HOA: v1 name: \"next\" Acceptance: 0 t --BODY-- --END--"
	r := NewReader(strings.NewReader(text), "")
	r.wordsBound = 1 << 22
	_, err := r.Read()
	if want := "258:1: the automaton is too large: more than 32 MB of labels or acceptance marks"; err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
	if a, err := r.Read(); err != nil || a.Name != "next" {
		t.Errorf("then %v, %v", a, err)
	}
}

// TestManyStates has states in descending order, far apart, and more than one
// page of them.
func TestManyStates(t *testing.T) {
	const n = 100_000
	var text strings.Builder
	text.WriteString("HOA: v1 Start: 99999 Acceptance: 0 t --BODY--\n")
	for s := n - 1; s >= 0; s-- {
		fmt.Fprintf(&text, "State: %d [t] %d\n", s, s/2)
	}
	text.WriteString("--END--")
	a, err := NewReader(strings.NewReader(text.String()), "").Read()
	if err != nil || a.States() != n || a.Edges() != n {
		t.Fatal(err)
	}
	for s := range n {
		if e, _ := a.Out(automata.State(s)); int(a.Destination(e)) != s/2 {
			t.Fatalf("state %d leads to %d", s, a.Destination(e))
		}
	}
	missing := strings.Replace(text.String(), "State: 40000 ", "State: 100000 ", 1)
	_, err = NewReader(strings.NewReader(missing), "").Read()
	if err == nil || !strings.Contains(err.Error(), "without a definition of state 40000") {
		t.Errorf("got %v", err)
	}
}

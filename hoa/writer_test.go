package hoa

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"pnmc/automata"
)

// sameAutomaton compares all that an automaton consists of.
func sameAutomaton(a, b *automata.Automaton) error {
	switch {
	case a.Name != b.Name || a.Kind != b.Kind || a.Claims != b.Claims:
		return fmt.Errorf("name, kind or claims: %q %d %b, %q %d %b", a.Name, a.Kind, a.Claims, b.Name, b.Kind, b.Claims)
	case !slices.Equal(a.Propositions, b.Propositions):
		return fmt.Errorf("propositions %q, %q", a.Propositions, b.Propositions)
	case !reflect.DeepEqual(a.Acceptance, b.Acceptance):
		return fmt.Errorf("acceptance %+v, %+v", a.Acceptance, b.Acceptance)
	case a.States() != b.States() || a.Edges() != b.Edges():
		return fmt.Errorf("%d states and %d edges, %d and %d", a.States(), a.Edges(), b.States(), b.Edges())
	case !slices.Equal(a.Initial(), b.Initial()):
		return fmt.Errorf("initial states %v, %v", a.Initial(), b.Initial())
	case !slices.Equal(a.StateNames, b.StateNames):
		return fmt.Errorf("state names %q, %q", a.StateNames, b.StateNames)
	}
	for e := range automata.Edge(a.Edges()) {
		if a.Source(e) != b.Source(e) || a.Destination(e) != b.Destination(e) ||
			!slices.Equal(a.Marks(e), b.Marks(e)) || !reflect.DeepEqual(a.Label(e), b.Label(e)) {
			return fmt.Errorf("edge %d", e)
		}
	}
	return nil
}

var allOptions = []Options{{}, {OneLine: true}, {MarksOnEdges: true}, {OneLine: true, MarksOnEdges: true}}

// roundTrip writes a in every way and fails unless the same is read.
func roundTrip(a *automata.Automaton) error { return roundTripWith(a, allOptions...) }

func roundTripWith(a *automata.Automaton, all ...Options) error {
	for _, options := range all {
		var text bytes.Buffer
		if err := Write(context.Background(), &text, a, options); err != nil {
			return err
		}
		b, err := NewReader(bytes.NewReader(text.Bytes()), "").Read()
		if err == nil {
			err = sameAutomaton(a, b)
		}
		if err != nil {
			return fmt.Errorf("with %+v: %w in\n%s", options, err, text.String())
		}
	}
	return nil
}

func TestSharedFilesRoundTrip(t *testing.T) {
	for _, file := range sharedFiles(t) {
		all, _ := readFile(t, file)
		for i, a := range all {
			if err := roundTripWith(a, allOptions[i%len(allOptions)]); err != nil {
				t.Errorf("%s, automaton %d: %v", file, i, err)
			}
		}
	}
}

// TestSpotLayout compares what is written with the text that Spot wrote, for the
// files in which Spot had no special options.
func TestSpotLayout(t *testing.T) {
	sharedFiles(t)
	for _, file := range []string{"ba.hoa", "tgba.hoa", "negated-tgba.hoa"} {
		file = "../../shared/hoa/spot/" + file
		want, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		all, _ := readFile(t, file)
		var got bytes.Buffer
		for _, a := range all {
			if err := Write(context.Background(), &got, a, Options{}); err != nil {
				t.Fatal(err)
			}
		}
		gotLines, wantLines := strings.Split(got.String(), "\n"), strings.Split(string(want), "\n")
		for i := range min(len(gotLines), len(wantLines)) {
			if gotLines[i] != wantLines[i] {
				t.Errorf("%s:%d: got %q, Spot has %q", file, i+1, gotLines[i], wantLines[i])
				break
			}
		}
	}
}

// drawCondition draws an acceptance condition as the reader makes it.
func drawCondition(t *rapid.T, sets, depth int) *automata.Condition {
	operators := []automata.ConditionOperator{automata.ConditionTrue, automata.ConditionFalse}
	if sets > 0 {
		operators = append(operators, automata.Inf, automata.Fin)
	}
	if depth > 0 {
		operators = append(operators, automata.ConditionAnd, automata.ConditionOr)
	}
	c := &automata.Condition{Operator: rapid.SampledFrom(operators).Draw(t, "operator")}
	switch c.Operator {
	case automata.Inf, automata.Fin:
		c.Set = rapid.IntRange(0, sets-1).Draw(t, "set")
		c.Negated = rapid.Bool().Draw(t, "negated")
	case automata.ConditionAnd, automata.ConditionOr:
		operands := make([]*automata.Condition, rapid.IntRange(2, 3).Draw(t, "operands"))
		for i := range operands {
			operands[i] = drawCondition(t, sets, depth-1)
		}
		return join(c.Operator, operands)
	}
	return c
}

// drawAutomaton draws an automaton of any shape, over up to 65 propositions and
// 65 sets.
func drawAutomaton(t *rapid.T) *automata.Automaton {
	propositions := make([]string, rapid.SampledFrom([]int{0, 1, 2, 3, 65}).Draw(t, "propositions"))
	for i := range propositions {
		propositions[i] = fmt.Sprintf("%d:%s", i, rapid.String().Draw(t, "proposition"))
	}
	sets := rapid.SampledFrom([]int{0, 1, 2, 3, 65}).Draw(t, "sets")
	acceptance := automata.Acceptance{Sets: sets, Condition: drawCondition(t, sets, 3)}
	acceptance.Name = acceptanceName(acceptance)
	b := automata.NewBuilder(propositions, acceptance)
	b.Name = rapid.String().Draw(t, "name")
	states := rapid.IntRange(0, 5).Draw(t, "states")
	b.AddStates(states)
	if states > 0 {
		for range rapid.IntRange(0, 3).Draw(t, "initials") {
			b.AddInitial(automata.State(rapid.IntRange(0, states-1).Draw(t, "initial")))
		}
		for range rapid.IntRange(0, 10).Draw(t, "edges") {
			label := make(automata.Label, rapid.IntRange(1, 3).Draw(t, "cubes"))
			for i := range label {
				label[i] = automata.NewCube(len(propositions))
				for p := range propositions {
					if k := rapid.IntRange(0, 2).Draw(t, "literal"); k > 0 {
						label[i] = label[i].With(p, k == 1)
					}
				}
			}
			marks := automata.NewMarks(sets)
			for i := range sets {
				marks[i/64] |= uint64(rapid.IntRange(0, 1).Draw(t, "mark")) << (i % 64)
			}
			b.AddEdge(automata.State(rapid.IntRange(0, states-1).Draw(t, "from")), label, marks,
				automata.State(rapid.IntRange(0, states-1).Draw(t, "to")))
		}
		if rapid.Bool().Draw(t, "named") {
			b.SetStateName(automata.State(rapid.IntRange(0, states-1).Draw(t, "state")), "x"+rapid.String().Draw(t, "state name"))
		}
	}
	a, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	return a
}

func TestRoundTripOfRandomAutomata(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		if err := roundTrip(drawAutomaton(t)); err != nil {
			t.Fatal(err)
		}
	})
}

// TestRoundTripOfTestingAutomaton checks that the kind survives, and that a
// claim that a reader would take for one about the property does not.
func TestRoundTripOfTestingAutomaton(t *testing.T) {
	for kind, header := range map[automata.Kind]string{automata.TGTA: "Testing: tgta\n", automata.TA: "Testing: ta\n"} {
		b := automata.NewBuilder([]string{"a"}, automata.GeneralizedBuchi(1))
		b.Kind, b.Claims = kind, automata.ClaimDeterministic|automata.ClaimStutterInvariant|automata.ClaimComplete
		b.AddStates(2)
		b.AddInitial(0)
		not, is := automata.NewCube(1).With(0, false), automata.NewCube(1).With(0, true)
		b.AddEdge(0, automata.Label{not}, automata.NewMarks(1), 1)
		b.AddEdge(1, automata.Label{not}, automata.NewMarks(1), 1)
		b.AddEdge(1, automata.Label{is}, automata.NewMarks(1, 0), 1)
		a, err := b.Build()
		if err != nil {
			t.Fatal(err)
		}
		var text strings.Builder
		if err := Write(context.Background(), &text, a, Options{}); err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(text.String(), header) || strings.Contains(text.String(), "stutter-invariant") ||
			!strings.Contains(text.String(), "deterministic") || strings.Contains(text.String(), "complete") {
			t.Error(text.String())
		}
		back, err := NewReader(strings.NewReader(text.String()), "").Read()
		if err != nil || back.Kind != kind || back.Claims != automata.ClaimDeterministic {
			t.Errorf("%+v, %v", back, err)
		}
	}
}

// TestAccNameFits writes conditions whose Name is empty or wrong.
func TestAccNameFits(t *testing.T) {
	for name, want := range map[string]string{
		"": "acc-name: Buchi\n", "generalized-Buchi 1": "acc-name: generalized-Buchi 1\n",
		"co-Buchi": "acc-name: Buchi\n", "generalized-Buchi": "acc-name: Buchi\n", "nonsense 7": "acc-name: Buchi\n",
	} {
		acceptance := automata.GeneralizedBuchi(1)
		acceptance.Name = name
		a, err := automata.NewBuilder(nil, acceptance).Build()
		if err != nil {
			t.Fatal(err)
		}
		var text strings.Builder
		if err := Write(context.Background(), &text, a, Options{}); err != nil || !strings.Contains(text.String(), want) {
			t.Errorf("%q: %v, %s", name, err, text.String())
		}
	}
}

func TestOneLine(t *testing.T) {
	const line = `HOA: v1 name: "x" States: 1 Start: 0 AP: 1 "a" acc-name: Buchi Acceptance: 1 Inf(0)` +
		` properties: trans-labels explicit-labels trans-acc complete deterministic semi-deterministic unambiguous` +
		" --BODY-- State: 0 [0] 0 {0} [!0] 0 --END--\n"
	a, err := NewReader(strings.NewReader(line), "").Read()
	if err != nil {
		t.Fatal(err)
	}
	var got strings.Builder
	if err := Write(context.Background(), &got, a, Options{OneLine: true}); err != nil || got.String() != line {
		t.Errorf("%v, got\n%swant\n%s", err, got.String(), line)
	}
}

func ExampleWrite() {
	b := automata.NewBuilder([]string{"p >= 1"}, automata.GeneralizedBuchi(1))
	b.Name = "G F p"
	s := b.AddState("")
	b.AddInitial(s)
	p := automata.NewCube(1).With(0, true)
	b.AddEdge(s, automata.Label{p}, automata.NewMarks(1, 0), s)
	b.AddEdge(s, automata.Label{p.With(0, false)}, automata.NewMarks(1), s)
	a, err := b.Build()
	if err != nil {
		fmt.Println(err)
		return
	}
	var text strings.Builder
	if err := Write(context.Background(), &text, a, Options{}); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Print(text.String())
	// Output:
	// HOA: v1
	// name: "G F p"
	// States: 1
	// Start: 0
	// AP: 1 "p >= 1"
	// acc-name: Buchi
	// Acceptance: 1 Inf(0)
	// properties: trans-labels explicit-labels trans-acc
	// --BODY--
	// State: 0
	// [0] 0 {0}
	// [!0] 0
	// --END--
}

package names

import (
	"slices"
	"testing"

	"pnmc/petri/symmetric"
)

// TestVocabulary looks nodes up by coloured and unfolded names.
func TestVocabulary(t *testing.T) {
	net := squares(3)
	net.Places[0].Name, net.Places[1].Name = "q", "shared"
	net.Places = append(net.Places, symmetric.Place{ID: "never", Name: "shared", Domain: net.Places[0].Domain})
	net.Transitions = append(net.Transitions, symmetric.Transition{ID: "dead", Name: "no more",
		Pre: []symmetric.Arc{{Place: 2, Expression: symmetric.Expression{{Coefficient: 1, Terms: []symmetric.Term{{}}}}}}})
	u, err := net.Unfold(t.Context(), symmetric.Options{})
	if err != nil {
		t.Fatal(err)
	}
	v := Of(u)
	for _, c := range []struct {
		got, want []uint32
	}{
		{v.Places("p"), []uint32{0, 1, 2}},
		{v.Places("q"), []uint32{3, 4}}, // identifiers go before names
		{v.Places("q_1"), []uint32{4}},
		{v.Places("never"), []uint32{}},
		{v.Places("shared"), nil},
		{v.Places("q_0"), []uint32{3}},
		{v.Places("q_2"), []uint32{}}, // never marked, and not built
		{v.Places("q_3"), nil},
		{v.Places("q_02"), nil},
		{v.Transitions("t_2_2"), []uint32{}}, // its guard does not hold
		{v.Transitions("t_2"), nil},
		{v.Transitions("t_2_2_2"), nil},
		{v.Transitions("t_"), nil},
		{v.Places("t"), nil},
		{v.Transitions("t"), []uint32{0, 1, 2}},
		{v.Transitions("t_0_2"), []uint32{1}},
		{v.Transitions("no more"), []uint32{}},
		{v.Transitions("p"), nil},
	} {
		if !slices.Equal(c.got, c.want) || (c.got == nil) != (c.want == nil) {
			t.Errorf("got %#v, want %#v", c.got, c.want)
		}
	}
	if got := v.PlaceNames(); !slices.Equal(got, []string{"p", "q", "never"}) {
		t.Errorf("got %q", got)
	}
	if got := v.TransitionNames(); !slices.Equal(got, []string{"t", "dead", "no more"}) {
		t.Errorf("got %q", got)
	}
	if places, transitions := v.Homonyms("shared"); !slices.Equal(places, []string{"q", "never"}) || transitions != nil {
		t.Errorf("got homonyms %q, %q", places, transitions)
	}
	if got := v.PlaceName(4) + " " + v.TransitionName(1); got != "q_1 t_0_2" {
		t.Errorf("got %q", got)
	}
}

// TestVocabularyIsUnambiguous names coloured places as others' colours would be:
// an identifier stands for one node, and that of an unfolded node for itself.
func TestVocabularyIsUnambiguous(t *testing.T) {
	class := &symmetric.Class{Name: "C", Size: 2, Constants: []string{"1", "1_1"}}
	all := symmetric.Expression{{Coefficient: 1, Terms: []symmetric.Term{{Kind: symmetric.All}}}}
	both := symmetric.Expression{{Coefficient: 1, Terms: []symmetric.Term{{Kind: symmetric.All}, {Kind: symmetric.All}}}}
	u, err := (&symmetric.Net{Places: []symmetric.Place{
		{ID: "p", Domain: symmetric.Domain{class}, Initial: all}, // p_1 and p_1_1
		{ID: "p_1", Initial: symmetric.Expression{{Coefficient: 1, Terms: nil}}},
		{ID: "p_1_1", Domain: symmetric.Domain{class}, Initial: all},
		{ID: "q", Name: "r_1_1_1", Domain: symmetric.Domain{class, class}},
		{ID: "r", Domain: symmetric.Domain{class, class}, Initial: both},
		{ID: "e", Domain: symmetric.Domain{class, class}},
	}}).Unfold(t.Context(), symmetric.Options{})
	if err != nil {
		t.Fatal(err)
	}
	v := Of(u)
	for p := range uint32(u.Net.Places()) {
		name := v.PlaceName(p)
		if got := v.Places(name); !slices.Equal(got, []uint32{p}) {
			t.Errorf("place %d is called %q, which stands for %d", p, name, got)
		}
	}
	for _, c := range []struct {
		name string
		want []uint32
	}{
		{"p", []uint32{0, 1}}, {"p_1", []uint32{2}}, {"p_1_1", []uint32{3, 4}}, {"p_1_1_1", []uint32{3}}, {"p_1_1_1_1", []uint32{4}},
		{"r_1_1_1", []uint32{6}}, {"e_1_1", []uint32{}}, {"e_1_1_1_1", []uint32{}}, {"e_1_1_1_1_1", nil}, {"e_1", nil},
	} {
		if got := v.Places(c.name); !slices.Equal(got, c.want) || (got == nil) != (c.want == nil) {
			t.Errorf("%s: got %#v, want %#v", c.name, got, c.want)
		}
	}
}

// TestDroppedColoursHaveNoNames: a colour that is not built is known to be never marked only where nothing is
// merged or dropped.
func TestDroppedColoursHaveNoNames(t *testing.T) {
	for _, c := range []struct {
		options symmetric.Options
		known   bool
	}{{symmetric.Options{}, true}, {symmetric.Options{Merge: true}, false}, {symmetric.Options{DropConstant: true}, false}} {
		u, err := squares(3).Unfold(t.Context(), c.options)
		if err != nil {
			t.Fatal(err)
		}
		if got := Of(u).Places("q_2"); len(got) > 0 || (got != nil) != c.known {
			t.Errorf("%+v: got %#v", c.options, got)
		}
	}
}

// TestVocabularyHasNoSums: the place for a sum stands for no colour, and its identifier hides no
// name.
func TestVocabularyHasNoSums(t *testing.T) {
	net := queue(3, 2)
	u, err := net.Unfold(t.Context(), symmetric.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if _, ok := u.Net.PlaceByID("p_sum"); !ok || len(u.Sums) != 1 {
		t.Fatalf("%d sums", len(u.Sums))
	}
	if got := Of(u).Places("p_sum"); got != nil {
		t.Errorf("got %v for a sum", got)
	}
	net.Places[1].Name = "p_sum"
	if got, want := Of(u).Places("p_sum"), numbers(u.Places[1]); !slices.Equal(got, want) {
		t.Errorf("got %v for the name of a place, want %v", got, want)
	}
}

// squares returns a net with one transition for each pair of n colours.
func squares(n int64) *symmetric.Net {
	class := &symmetric.Class{Name: "C", Size: n}
	x := symmetric.Expression{{Coefficient: 1, Terms: []symmetric.Term{{Kind: symmetric.Variable}}}}
	y := symmetric.Expression{{Coefficient: 1, Terms: []symmetric.Term{{Kind: symmetric.Variable, Variable: 1}}}}
	return &symmetric.Net{
		Places: []symmetric.Place{
			{ID: "p", Domain: symmetric.Domain{class}, Initial: symmetric.Expression{{Coefficient: 1, Terms: []symmetric.Term{{Kind: symmetric.All}}}}},
			{ID: "q", Domain: symmetric.Domain{class}},
		},
		Transitions: []symmetric.Transition{{
			ID: "t", Variables: []symmetric.VariableDeclaration{{Name: "x", Class: class}, {Name: "y", Class: class}},
			Guard: &symmetric.Guard{Operator: symmetric.Less,
				Left:  symmetric.Operand{Term: symmetric.Term{Kind: symmetric.Variable}, Class: class},
				Right: symmetric.Operand{Term: symmetric.Term{Kind: symmetric.Variable, Variable: 1}, Class: class}},
			Pre: []symmetric.Arc{{Place: 0, Expression: x}, {Place: 0, Expression: y}}, Post: []symmetric.Arc{{Place: 1, Expression: x}},
		}},
	}
}

// queue returns a place of n colours, one token each, from which one transition takes any; another
// fires only while so many are gone that fewer than weight are left.
func queue(n, weight int64) *symmetric.Net {
	class := &symmetric.Class{Name: "C", Size: n}
	return &symmetric.Net{
		Places: []symmetric.Place{
			{ID: "p", Domain: symmetric.Domain{class}, Initial: symmetric.Expression{{Coefficient: 1, Terms: []symmetric.Term{{Kind: symmetric.All}}}}},
			{ID: "q", Initial: symmetric.Expression{{Coefficient: 1, Terms: nil}}},
		},
		Transitions: []symmetric.Transition{
			{ID: "take", Variables: []symmetric.VariableDeclaration{{Name: "x", Class: class}}, Pre: []symmetric.Arc{{Place: 0, Expression: symmetric.Expression{{Coefficient: 1, Terms: []symmetric.Term{{Kind: symmetric.Variable}}}}}}},
			{ID: "go", Pre: []symmetric.Arc{{Place: 1, Expression: symmetric.Expression{{Coefficient: 1, Terms: nil}}}}, Inhibitors: []symmetric.Inhibitor{{Place: 0, Weight: weight}}},
		},
	}
}

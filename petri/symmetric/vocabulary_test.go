package symmetric

import (
	"slices"
	"testing"
)

// TestVocabulary looks nodes up by coloured and unfolded names.
func TestVocabulary(t *testing.T) {
	net := squares(3)
	net.Places[0].Name, net.Places[1].Name = "q", "shared"
	net.Places = append(net.Places, Place{ID: "never", Name: "shared", Domain: net.Places[0].Domain})
	net.Transitions = append(net.Transitions, Transition{ID: "dead", Name: "no more",
		Pre: []Arc{{2, Expression{{1, []Term{{}}}}}}})
	u, err := net.Unfold(t.Context(), Options{})
	if err != nil {
		t.Fatal(err)
	}
	v := u.Vocabulary()
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
	class := &Class{Name: "C", Size: 2, Constants: []string{"1", "1_1"}}
	all := Expression{{1, []Term{{Kind: All}}}}
	both := Expression{{1, []Term{{Kind: All}, {Kind: All}}}}
	u, err := (&Net{Places: []Place{
		{ID: "p", Domain: Domain{class}, Initial: all}, // p_1 and p_1_1
		{ID: "p_1", Initial: Expression{{1, nil}}},
		{ID: "p_1_1", Domain: Domain{class}, Initial: all},
		{ID: "q", Name: "r_1_1_1", Domain: Domain{class, class}},
		{ID: "r", Domain: Domain{class, class}, Initial: both},
		{ID: "e", Domain: Domain{class, class}},
	}}).Unfold(t.Context(), Options{})
	if err != nil {
		t.Fatal(err)
	}
	v := u.Vocabulary()
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

// TestVocabularyHasNoSums: the place for a sum stands for no colour, and its identifier hides no
// name.
func TestVocabularyHasNoSums(t *testing.T) {
	net := queue(3, 2)
	u, err := net.Unfold(t.Context(), Options{})
	if err != nil {
		t.Fatal(err)
	}
	if _, ok := u.Net.PlaceByID("p_sum"); !ok || len(u.Sums) != 1 {
		t.Fatalf("%d sums", len(u.Sums))
	}
	if got := u.Vocabulary().Places("p_sum"); got != nil {
		t.Errorf("got %v for a sum", got)
	}
	net.Places[1].Name = "p_sum"
	if got, want := u.Vocabulary().Places("p_sum"), numbers(u.Places[1]); !slices.Equal(got, want) {
		t.Errorf("got %v for the name of a place, want %v", got, want)
	}
}

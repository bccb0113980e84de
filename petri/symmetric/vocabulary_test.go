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
	u, err := Unfold(t.Context(), net, Options{})
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
	if got := v.PlaceName(4) + " " + v.TransitionName(1); got != "q_1 t_0_2" {
		t.Errorf("got %q", got)
	}
}

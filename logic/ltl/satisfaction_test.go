package ltl_test

import (
	"errors"
	"runtime"
	"testing"

	"pnmc/logic"
	"pnmc/logic/ltl"
)

// TestSatisfies: a at position 0, b at 2, and both at 3, from where the word goes back
// to 1 again and again. (Package cross compares random words and formulas with automata.)
func TestSatisfies(t *testing.T) {
	s := ltl.NewFormulas()
	s.Atom("a")
	s.Atom("b")
	word := ltl.Word{Length: 4, Loop: 1, Holds: func(proposition, position int) bool {
		return position == 3 || position == 0 && proposition == 0 || position == 2 && proposition == 1
	}}
	for text, want := range map[string]bool{
		"1": true, "0": false, "a": true, "b": false, "!a": false, "a & !b": true, "b | !a": false,
		"a xor b": true, "a <-> b": false, "a -> b": false,
		"X a": false, "XXX(a & b)": true, "XXXX a": false, "XXXXX b": true,
		"F b": true, "F(a & !b)": true, "X F(a & !b)": false, "G F(a & b)": true, "G(a -> F b)": true, "F G b": false,
		"a U b": false, "!b U b": true, "(a | !b) U G b": false, "(a | !b) W G b": false, "1 W a": true,
		"X(!a W a)": true, "X(b R F b)": true, "X(!b R !b)": true, "b R a": false, "a M a": true,
		"F a M (a | !a)": true, "b M (a | b)": false,
	} {
		f, err := ltl.Parse(text, s)
		if err != nil {
			t.Fatal(err)
		}
		if got := word.Satisfies(f); got != want {
			t.Errorf("%s: %v, want %v", text, got, want)
		}
	}
}

// TestSatisfiesWithin: before what is known of a part is kept, the limit is asked, and nothing is made after its error.
func TestSatisfiesWithin(t *testing.T) {
	s := ltl.NewFormulas()
	f := s.Atom("a")
	const parts, length = 100, 1 << 16
	for range parts - 1 {
		f = s.Next(f)
	}
	w := ltl.Word{Length: length, Loop: 0, Holds: func(_, position int) bool { return position == parts-1 }}
	enough := errors.New("enough")
	for _, most := range []int{0, 1, parts / 2, parts - 1, parts} {
		asked := 0
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		yes, err := w.SatisfiesWithin(func(bytes int) error {
			if bytes < length/8 {
				t.Errorf("%d bytes", bytes)
			}
			if asked++; asked > most {
				return enough
			}
			return nil
		}, f)
		runtime.ReadMemStats(&after)
		if whole := most == parts; yes != whole || errors.Is(err, enough) == whole || err != nil && !errors.As(err, new(*logic.LimitError)) {
			t.Errorf("after %d of %d: %t, %v", most, parts, yes, err)
		}
		if made := after.TotalAlloc - before.TotalAlloc; made > uint64(most+8)*length/8+64<<10 {
			t.Errorf("after %d of %d: %d bytes are made", most, parts, made)
		}
	}
}

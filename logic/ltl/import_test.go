package ltl

import (
	"errors"
	"math"
	"strconv"
	"testing"
)

func TestImportAs(t *testing.T) {
	from := NewFormulas()
	f, err := Parse(`G("p >= 2" -> F q) & (X q M "p >= 2")`, from)
	if err != nil {
		t.Fatal(err)
	}
	s := NewFormulas()
	names := map[string]string{"p >= 2": "a", "q": "b"}
	g := s.ImportAs(f, from, func(name string) string { return names[name] })
	want, err := Parse("G(a -> F b) & (X b M a)", s)
	if err != nil || g != want {
		t.Errorf("%s, %v", s.Text(g, SpotSyntax), err)
	}
	if s.Import(f, from) != s.ImportAs(f, from, func(name string) string { return name }) || s.Import(f, from) == g {
		t.Error("Import renames")
	}
}

// TestImportWithinALimit: each formula is asked for with its operands, before it is made.
func TestImportWithinALimit(t *testing.T) {
	from := NewFormulas()
	const operands, times = 500, 200
	var all []*Formula
	for i := range operands {
		all = append(all, from.Atom(strconv.Itoa(i)))
	}
	once := from.Or(all...)
	f := once
	for range times {
		f = from.Or(once, from.Next(f))
	}
	asked := 0
	free := NewFormulas()
	g, err := free.ImportWithin(func(n int) error { asked += n; return nil }, f, from)
	if err != nil || g != free.Import(f, from) {
		t.Errorf("%v, or another formula than without a limit", err)
	}
	if asked < 8*operands*times {
		t.Errorf("asked for %d bytes", asked)
	}
	over := errors.New("over")
	for _, part := range []int{0, 1, 5, 9} {
		s, gone := NewFormulas(), 0
		_, err := s.ImportWithin(func(n int) error {
			if gone += n; gone > asked*part/10 {
				return over
			}
			return nil
		}, f, from)
		if !errors.Is(err, over) || s.Len() == free.Len() {
			t.Errorf("after %d of 10 parts: %v, %d formulas", part, err, s.Len())
		}
	}
}

func TestLength(t *testing.T) {
	for text, want := range map[string]int64{
		"1": 1, "p": 1, "!p": 2, "p & q & r": 5, "(p & q) U X(p & q)": 8,
		"F[0:99](p & F[0:99](p & F[0:99](p & F[0:99](p & F[0:99] p))))": math.MaxUint32,
	} {
		f, err := Parse(text, NewFormulas())
		if err != nil || f.Length() != want {
			t.Errorf("%s: %d, expected %d, %v", text, f.Length(), want, err)
		}
	}
}

package ltl

import (
	"math"
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

package reading_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"pnmc/logic/internal/reading"
)

// word reads a word of letters, in lower case.
func word(text string) (string, error) {
	trimmed := strings.TrimSpace(text)
	if i := strings.IndexFunc(trimmed, func(r rune) bool { return r >= '0' && r <= '9' }); i >= 0 {
		at := strings.Index(text, trimmed) + i
		return "half", &reading.SyntaxError{Offset: at, Line: 1, Column: at + 1, Message: "expected a letter"}
	}
	return strings.ToLower(trimmed), nil
}

// TestFormulas reads names, comments, quotes, brackets and empty lines, and tells errors by their
// places in the file, with what stands in the other lines.
func TestFormulas(t *testing.T) {
	text := "\ufeffA\n\n# nothing\n first : B # the second\nq\"x:y\"\nF[1:2]\nlast: Z9\nC\nD4\n#tokens (A) #tokens\n"
	found, err := reading.Formulas(strings.NewReader(text), "file", nil, word)
	var got []string
	for _, f := range found {
		got = append(got, fmt.Sprintf("%d %s|%s|%s", f.Line, f.Name, f.Text, f.Formula))
	}
	if want := []string{"1 |A|a", "4 first|B|b", `5 |q"x:y"|q"x:y"`, "8 |C|c", "10 |#tokens (A)|#tokens (a)"}; !slices.Equal(got, want) {
		t.Errorf("found %q, want %q", got, want)
	}
	want := "file:6:3: expected a letter\nfile:7:8: expected a letter\nfile:9:2: expected a letter"
	if err == nil || err.Error() != want {
		t.Errorf("errors:\n%v\nwant:\n%s", err, want)
	}
	var syntax *reading.SyntaxError
	if !errors.As(err, &syntax) || syntax.Formula != "F[1:2]" || text[syntax.Offset] != '1' {
		t.Errorf("the first error is %+v", syntax)
	}
}

// TestFormulasWithinLimits ends with the error of the limit, of the text or of a formula.
func TestFormulasWithinLimits(t *testing.T) {
	over := &reading.LimitError{}
	asked := 0
	_, err := reading.Formulas(strings.NewReader("abc"), "file", func(bytes int) error { asked = bytes; return over }, word)
	if !errors.As(err, new(*reading.LimitError)) || asked != 3 {
		t.Errorf("%v after %d bytes", err, asked)
	}
	calls := 0
	_, err = reading.Formulas(strings.NewReader("1\na\nb"), "file", nil, func(text string) (string, error) {
		if calls++; calls == 2 {
			return "", over
		}
		return word(text)
	})
	if err != error(over) || calls != 2 {
		t.Errorf("%v after %d formulas", err, calls)
	}
}

// TestAt gives nothing of a text that is wrong.
func TestAt(t *testing.T) {
	if f, err := reading.At(reading.WholeText, "a1", word); f != "" || err == nil || err.Error() != "1:2: expected a letter" {
		t.Errorf("%q, %v", f, err)
	}
}

package hoa

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/iotest"
)

// TestTokens cuts texts into tokens, given as position and text, or as what is
// wrong.
func TestTokens(t *testing.T) {
	for _, c := range []struct {
		text string
		want []string
	}{
		{"HOA: v1", []string{"1:1 HOA:", "1:6 v1"}},
		{"t:f: t :", []string{"1:1 t:", "1:3 f:", "1:6 t", "1:8 unexpected character ':'"}},
		{"a-b_c.d-1 @0.x-y", []string{"1:1 a-b_c.d-1", "1:11 @0.x-y"}},
		{"0 10 2147483647", []string{"1:1 0", "1:3 10", "1:6 2147483647"}},
		{"2147483648 00 01x", []string{"1:1 integer above 2147483647", "1:12 integer with a leading zero", "1:15 integer with a leading zero", "1:17 x"}},
		{"99999999999999999999999999", []string{"1:1 integer above 2147483647"}},
		{"{0 1}[!2&3|(t)]", []string{"1:1 {", "1:2 0", "1:4 1", "1:5 }", "1:6 [", "1:7 !", "1:8 2", "1:9 &", "1:10 3", "1:11 |", "1:12 (", "1:13 t", "1:14 )", "1:15 ]"}},
		{"\"a\\\"b\\\\\" \"\"", []string{`1:1 "a\"b\\"`, `1:10 ""`}},
		{"\"two\nlines\" x", []string{"1:1 \"two\nlines\"", "2:8 x"}},
		{"\"escaped\\\nline\" x", []string{"1:1 \"escaped\\\nline\"", "2:7 x"}},
		{"x\r\n\ty\n\n z", []string{"1:1 x", "2:2 y", "4:2 z"}},
		{"/*/**//* /**/ */*/x/**/y", []string{"1:19 x", "1:24 y"}},
		{"/* \n\n */ x /y", []string{"3:5 x", "3:7 unexpected character '/'", "3:8 y"}},
		{"--BODY----END----ABORT--", []string{"1:1 --BODY--", "1:9 --END--", "1:16 --ABORT--"}},
		{"foo--ABORT-- 1--END--", []string{"1:1 foo--ABORT--", "1:14 1", "1:15 --END--"}},
		{"--BODY-x --BOODY-- -", []string{"1:1 a mark that is none of --BODY--, --END-- and --ABORT--", "1:8 x", "1:10 a mark that is none of --BODY--, --END-- and --ABORT--",
			"1:20 a mark that is none of --BODY--, --END-- and --ABORT--"}},
		{"@ @! é", []string{"1:1 '@' without the name of an alias", "1:3 '@' without the name of an alias", "1:4 !", "1:6 unexpected byte 0xc3", "1:7 unexpected byte 0xa9"}},
		{"\x00", []string{"1:1 unexpected byte 0x00"}},
		{"\"open", []string{`1:1 string without closing '"'`}},
		{"x /* open", []string{"1:1 x", "1:3 comment without closing '*/'"}},
		{"", nil},
	} {
		for name, input := range map[string]io.Reader{
			"whole": strings.NewReader(c.text), "byte by byte": iotest.OneByteReader(strings.NewReader(c.text)),
		} {
			var got []string
			s := newScanner(input)
			for s.next(); s.kind != tokenEnd || s.problem != ""; s.next() {
				text := string(s.text)
				if s.problem != "" {
					text = s.problem
				}
				got = append(got, fmt.Sprintf("%d:%d %s", s.position.Line, s.position.Column, text))
				if s.kind == tokenEnd {
					break
				}
			}
			if fmt.Sprintf("%q", got) != fmt.Sprintf("%q", c.want) {
				t.Errorf("%q %s:\n got %q\nwant %q", c.text, name, got, c.want)
			}
		}
	}
}

// TestLongTokensAndLines has tokens larger than what is read at once, and
// positions behind them.
func TestLongTokensAndLines(t *testing.T) {
	long := strings.Repeat("x", 3*readSize)
	s := newScanner(strings.NewReader(long + " /*" + long + "*/ \"" + long + "\" y\n" + long + "z 7"))
	for _, want := range []string{
		fmt.Sprintf("1:1 %d", len(long)),
		fmt.Sprintf("1:%d %d", 2*len(long)+7, len(long)+2),
		fmt.Sprintf("1:%d 1", 3*len(long)+10),
		fmt.Sprintf("2:1 %d", len(long)+1),
		fmt.Sprintf("2:%d 1", len(long)+3),
	} {
		s.next()
		if got := fmt.Sprintf("%d:%d %d", s.position.Line, s.position.Column, len(s.text)); got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
}

// silent never delivers anything, nor ends.
type silent struct{}

func (silent) Read([]byte) (int, error) { return 0, nil }

func TestSilentInputIsAnError(t *testing.T) {
	if _, err := NewReader(silent{}, "").Read(); !errors.Is(err, io.ErrNoProgress) {
		t.Errorf("got %v", err)
	}
}

func TestEndlessStringIsAnError(t *testing.T) {
	endless := io.MultiReader(strings.NewReader("HOA: v1 name: \""), endlessReader{})
	_, err := NewReader(endless, "f").Read()
	if want := "f:1:15: a name, text or comment longer than 16777216 bytes, expected a shorter one"; err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
}

type endlessReader struct{}

func (endlessReader) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = 'x'
	}
	return len(p), nil
}

func TestUnquoteUndoesQuote(t *testing.T) {
	for _, s := range []string{"", "a", `"`, `\`, `\"`, "a\nb", `\n`, "é"} {
		if got := unquote([]byte(quote(s))); got != s {
			t.Errorf("%q: %q", s, got)
		}
	}
}

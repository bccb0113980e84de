package dot_test

import (
	"bytes"
	"context"
	"encoding/xml"
	"errors"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"pnmc/automata"
	"pnmc/dot"
	"pnmc/picture"
)

// TestPicture compares pictures of an automaton of each kind with golden files, and finds
// each state and each label in them.
func TestPicture(t *testing.T) {
	plain, err := os.Open("../testdata/philosophers.hoa")
	if err != nil {
		t.Fatal(err)
	}
	defer plain.Close()
	cases := map[string]*automata.Automaton{"plain.svg": readHOA(t, plain, "philosophers.hoa")[3]}
	for _, name := range []string{"fga-ta", "gfa-tgta", "gta"} {
		text, err := os.ReadFile("testdata/" + name + ".dot")
		if err != nil {
			t.Fatal(err)
		}
		a, err := dot.NewReader(bytes.NewReader(text), name).Read()
		if err != nil {
			t.Fatal(err)
		}
		cases[name+".svg"] = a
	}
	for golden, a := range cases {
		var out bytes.Buffer
		if err := (dot.Style{}).Picture(context.Background(), &out, a); err != nil {
			t.Fatal(err)
		}
		compare(t, filepath.Join("testdata", golden), out.Bytes())
		text := svgText(t, out.Bytes())
		var drawn bytes.Buffer
		if err := (dot.Style{}).Write(context.Background(), &drawn, a); err != nil {
			t.Fatal(err)
		}
		for _, found := range regexp.MustCompile(`label="((?:[^"\\]|\\.)*)"`).FindAllStringSubmatch(drawn.String(), -1) {
			for _, line := range strings.Split(found[1], `\n`) {
				if line = strings.TrimSuffix(line, "{}"); !strings.Contains(text, strings.NewReplacer(`\"`, `"`, `\\`, `\`).Replace(line)) {
					t.Errorf("%s lacks the label %q", golden, line)
				}
			}
		}
	}
}

// svgText returns the text of a document, which must be well-formed.
func svgText(t *testing.T, document []byte) string {
	var text strings.Builder
	for d := xml.NewDecoder(bytes.NewReader(document)); ; {
		token, err := d.Token()
		if err == io.EOF {
			return text.String()
		}
		if err != nil {
			t.Fatal(err)
		}
		if data, ok := token.(xml.CharData); ok {
			text.Write(data)
		}
	}
}

// TestPictureTooLarge: an automaton that nobody can look at is not drawn.
func TestPictureTooLarge(t *testing.T) {
	b := automata.NewBuilder(nil, automata.GeneralizedBuchi(0))
	for range 200_001 {
		b.AddState("")
	}
	b.AddInitial(0)
	a, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	if err := (dot.Style{}).Picture(context.Background(), &out, a); !errors.Is(err, picture.ErrTooLarge) || out.Len() > 0 {
		t.Errorf("%v, %d bytes", err, out.Len())
	}
}

// TestPictureEscapes: names of propositions are text.
func TestPictureEscapes(t *testing.T) {
	text := "HOA: v1 States: 1 Start: 0 AP: 1 \"<script>&\\\"x\" acc-name: all Acceptance: 0 t --BODY-- State: 0 [0] 0 --END--"
	a := readHOA(t, strings.NewReader(text), "x")[0]
	var out bytes.Buffer
	if err := (dot.Style{}).Picture(context.Background(), &out, a); err != nil {
		t.Fatal(err)
	}
	if strings.Contains(out.String(), "<script") || !strings.Contains(svgText(t, out.Bytes()), `<script>&\"x`) {
		t.Errorf("got\n%s", out.String())
	}
}

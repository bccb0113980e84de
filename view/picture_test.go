package view_test

import (
	"bytes"
	"context"
	"encoding/xml"
	"flag"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pnmc/petri"
	"pnmc/pnml"
	"pnmc/view"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// TestPicture compares pictures of nets with golden files: one that is laid out, one whose
// document has positions, a coloured one.
func TestPicture(t *testing.T) {
	for golden, source := range map[string]string{
		"mailbox.svg":  "../testdata/mailbox.pnml",
		"placed.svg":   "testdata/placed.pnml",
		"arcs.svg":     "testdata/arcs.pnml",
		"coloured.svg": "../pnml/testdata/symmetric/small.pnml",
	} {
		text, err := os.ReadFile(source)
		if err != nil {
			t.Fatal(err)
		}
		document, err := pnml.ReadDocument(bytes.NewReader(text), source, pnml.Options{})
		if err != nil {
			t.Fatal(err)
		}
		drawing, err := pnml.ReadDrawing(bytes.NewReader(text), source, pnml.Options{})
		if err != nil {
			t.Fatal(err)
		}
		var out bytes.Buffer
		if err := view.Picture(context.Background(), &out, document.Net, document.Symmetric, drawing); err != nil {
			t.Fatal(err)
		}
		path := filepath.Join("testdata", golden)
		if *update {
			if err := os.WriteFile(path, out.Bytes(), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(out.Bytes(), want) {
			t.Errorf("%s: got\n%s", golden, out.String())
		}
		var texts []string
		for d := xml.NewDecoder(&out); ; {
			token, err := d.Token()
			if err == io.EOF {
				break
			}
			if err != nil {
				t.Fatalf("%s: %v", golden, err)
			}
			if data, ok := token.(xml.CharData); ok {
				texts = append(texts, string(data))
			}
		}
		if document.Net != nil {
			checkNodes(t, golden, document.Net, texts)
		}
	}
}

// checkNodes finds the name of each node, and its title with the identifier.
func checkNodes(t *testing.T, picture string, net *petri.Net, texts []string) {
	check := func(l petri.Label) {
		name := l.Name
		if name == "" {
			name = l.ID
		}
		if !slices.Contains(texts, name) || !slices.ContainsFunc(texts, func(s string) bool { return strings.HasPrefix(s, l.ID) }) {
			t.Errorf("%s lacks %v", picture, l)
		}
	}
	for p := range petri.Place(net.Places()) {
		check(net.PlaceLabel(p))
	}
	for tr := range petri.Transition(net.Transitions()) {
		check(net.TransitionLabel(tr))
	}
}

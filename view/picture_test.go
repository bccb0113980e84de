package view_test

import (
	"bytes"
	"context"
	"encoding/xml"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pnmc/internal/account"
	"pnmc/internal/petritest"
	"pnmc/petri"
	"pnmc/picture"
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
		document, err := pnml.Reader{}.ReadDocument(bytes.NewReader(text), source)
		if err != nil {
			t.Fatal(err)
		}
		drawing, err := pnml.Reader{}.ReadDrawing(bytes.NewReader(text), source)
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

// TestPicturesAskFirst: of a net that nobody could look at, and of one for which there is no
// memory, no node is drawn.
func TestPicturesAskFirst(t *testing.T) {
	const n = 500
	b := &petri.Builder{}
	for i := range n {
		if _, err := b.AddPlace(fmt.Sprint("p", i), "", 1); err != nil {
			t.Fatal(err)
		}
	}
	for i := range n {
		u, err := b.AddTransition(fmt.Sprint("t", i), "")
		for p := range petri.Place(n) {
			err = errors.Join(err, b.AddInput(p, u, 1))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	large, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	full, stop := account.Within(t.Context(), petri.Budget{MemoryBytes: 1})
	defer stop(nil)
	var memory *petri.MemoryError
	for name, draw := range map[string]func() bool{
		"large": func() bool {
			return errors.Is(view.Picture(t.Context(), io.Discard, large, nil, nil), picture.ErrTooLarge)
		},
		"memory": func() bool {
			return errors.As(view.Picture(full, io.Discard, petritest.Philosophers(400), nil, nil), &memory)
		},
	} {
		if made := testing.AllocsPerRun(1, func() {
			if !draw() {
				t.Errorf("%s: no error, or another", name)
			}
		}); name == "large" && made > n {
			t.Errorf("%s: %v allocations", name, made)
		}
	}
}

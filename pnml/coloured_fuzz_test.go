package pnml

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/beevik/etree"

	"pnmc/petri/symmetric"
)

// edit changes the tree of a document as the bytes of edits say, four for each
// change. Bytes alone rarely make another well-formed document; this way terms
// get into places where they do not belong.
func edit(text, edits []byte) []byte {
	document := etree.NewDocument()
	if err := document.ReadFromBytes(text); err != nil || document.Root() == nil {
		return text
	}
	const mostElements = 3000
	for ; len(edits) >= 4; edits = edits[4:] {
		elements := document.FindElements("//*")
		if len(elements) < 2 || len(elements) > mostElements {
			break
		}
		pick := func(b byte) *etree.Element { return elements[1+int(b)*(len(elements)-1)/256] }
		// The first byte also reaches elements between those that 256 steps can.
		at := (int(edits[1])*64 + int(edits[0]/4)) * (len(elements) - 1) / (256 * 64)
		to, from := elements[1+at], pick(edits[2])
		switch edits[0] % 4 {
		case 0:
			to.Parent().RemoveChild(to)
		case 1:
			parent, index := to.Parent(), to.Index()
			copied := from.Copy()
			parent.RemoveChild(to)
			parent.InsertChildAt(index, copied)
		case 2:
			to.AddChild(from.Copy())
		case 3:
			if len(to.Attr) > 0 && len(from.Attr) > 0 {
				to.Attr[int(edits[3])%len(to.Attr)].Value = from.Attr[int(edits[3]/16)%len(from.Attr)].Value
			}
		}
	}
	changed, err := document.WriteToBytes()
	if err != nil {
		return text
	}
	return changed
}

// FuzzReadSymmetric reads edited documents as symmetric nets and unfolds them
// within tight limits; what unfolds must survive writing and reading.
func FuzzReadSymmetric(f *testing.F) {
	files, _ := filepath.Glob("testdata/symmetric/*.pnml")
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(text, []byte{})
		f.Add(text, []byte{1, 100, 120, 0, 3, 50, 90, 17})
		f.Add(text, []byte{2, 30, 60, 0, 0, 80, 0, 0})
	}
	f.Fuzz(func(t *testing.T, text, edits []byte) {
		document, err := Reader{}.ReadDocument(bytes.NewReader(edit(text, edits)), "fuzz")
		if err != nil || document.Symmetric == nil {
			return
		}
		for _, options := range []symmetric.Options{{}, {KeepAll: true}, {Merge: true}, {DropConstant: true}} {
			options.MaxNodes = 300
			u, err := document.Symmetric.Unfold(t.Context(), options)
			if err != nil {
				continue
			}
			var written bytes.Buffer
			if err := Write(&written, u.Net); err != nil {
				continue
			}
			again, err := Reader{}.Read(bytes.NewReader(written.Bytes()), "again")
			if err != nil {
				t.Fatalf("%v in\n%s", err, written.String())
			}
			if again.Places() != u.Net.Places() || again.Transitions() != u.Net.Transitions() || again.Arcs() != u.Net.Arcs() {
				t.Fatalf("wrote\n%sread\n%s", describe(u.Net), describe(again))
			}
		}
	})
}

// TestEdits makes sure that edits make nets that are read and nets that are not.
func TestEdits(t *testing.T) {
	text, err := os.ReadFile("testdata/symmetric/ring.pnml")
	if err != nil {
		t.Fatal(err)
	}
	read, refused := 0, 0
	for i := range 256 {
		for operation := range byte(4) {
			edits := []byte{operation, byte(i), byte(7 * i), byte(3 * i)}
			if document, err := (Reader{}).ReadDocument(bytes.NewReader(edit(text, edits)), "edited"); err != nil {
				refused++
			} else if _, err := document.Symmetric.Unfold(t.Context(), symmetric.Options{MaxNodes: 300}); err == nil {
				read++
			}
		}
	}
	if read < 100 || refused < 100 {
		t.Errorf("%d edited nets are read, %d refused: expected many of both", read, refused)
	}
}

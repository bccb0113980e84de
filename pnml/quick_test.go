package pnml

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
)

// readBoth reads a document with and without quick reading of arcs, and compares the results:
// all that was read, with positions, and each finding.
func readBoth(t *testing.T, text []byte) (quickly int) {
	t.Helper()
	read := func(slow bool) (*document, *parser, error) {
		p := &parser{scanner: newScanner(bytes.NewReader(text), "f", nil)}
		p.findings.file = "f"
		p.source.converted = slow
		d, err := p.document()
		if err == nil && d.kind == plainKind {
			d.connect(&p.findings)
		}
		return d, p, err
	}
	fast, p, err := read(false)
	slow, q, wrong := read(true)
	if fmt.Sprint(err) != fmt.Sprint(wrong) {
		t.Fatalf("error %v, without quick reading %v, of %q", err, wrong, text)
	}
	if fmt.Sprint(p.findings.err()) != fmt.Sprint(q.findings.err()) {
		t.Fatalf("findings %v, without quick reading %v, of %q", p.findings.err(), q.findings.err(), text)
	}
	if err == nil && fast.kind == plainKind && !reflect.DeepEqual(fast, slow) {
		t.Fatalf("%+v, without quick reading %+v, of %q", fast, slow, text)
	}
	return len(p.names)
}

// arcForms are ways to write an arc.
var arcForms = []string{
	`<arc id="%d" source="p0" target="t0"/>`,
	`<arc id="%d" source="t0" target="p0"></arc>`,
	"<arc id=\"%d\"\r\n  target=\"t0\"\tsource=\"p1\" >\n<inscription>\n <text>12</text>\n </inscription> </arc>",
	`<arc id="%d" source="p0" target="t0"><inscription><text>0</text></inscription></arc>`,
	`<arc id="%d" source="p0" target="t0"><inscription><text> 2 </text></inscription></arc>`,
	`<arc id="%d" source="p0" target="t0"><inscription><text>1234567890</text></inscription></arc>`,
	`<arc id="%d" source="p0" target="t0"><inscription><text>2</text></inscription><inscription><text>2</text></inscription></arc>`,
	`<arc id="%d" source="p0" target="t0"><type value="inhibitor"/></arc>`,
	`<arc id="%d" type="read" source="p0" target="t0"/>`,
	`<arc id="%d" source="p0" source="p1" target="t0"/>`,
	`<arc id="%d" source=" p0 " target="t0"/>`,
	`<arc id="%d" source="p&#48;" target="t0"/>`,
	`<arc id="%d" source='p0' target='t0'/>`,
	`<arc id="%d" source="p0" target="p1"/>`,
	`<arc id="%d" source="" target="t0"/>`,
	`<arc id="%d" source="pé" target="t0"/>`,
	`<arc id="%d" target="t0"/>`,
	`<arc  source="p0"  target="t9"  id="%d"  />`,
	`<arcs id="%d" source="p0" target="t0"/>`,
	`<arc id="%d"source="p0" target="t0"/>`,
	`<!-- %d --><arc id="a" source="p0" target="t0"/><!-- -->`,
	`text %d<arc id="a" source="p0" target="t0"/>`,
	`<arc id="%d" source="p0" target="t0"/`,
	`<transition id="t%d"><name><text>t</text></name></transition>`,
}

func TestQuickArcs(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	quickly := 0
	for range 3000 {
		var b strings.Builder
		b.WriteString(`<pnml><net id="n" type="http://www.pnml.org/version-2009/grammar/ptnet"><page id="g"><place id="p0"/><place id="p1"/><place id="pé"/><transition id="t0"/>`)
		forms := arcForms[:3] // mostly
		if rng.IntN(2) == 0 {
			forms = arcForms
		}
		for i := range 1 + rng.IntN(8) {
			fmt.Fprintf(&b, []string{"", " ", "\n", "\r\n\t"}[rng.IntN(4)]+forms[rng.IntN(len(forms))], i)
		}
		b.WriteString("</page></net></pnml>")
		text := []byte(b.String())
		for range rng.IntN(3) {
			text[rng.IntN(len(text))] = " \"<>&/ap0\n"[rng.IntN(10)]
		}
		quickly += readBoth(t, text)
	}
	if quickly < 1000 {
		t.Errorf("%d names were read quickly", quickly)
	}
}

func FuzzQuick(f *testing.F) {
	files, _ := filepath.Glob("testdata/*.pnml")
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(text)
	}
	for i, form := range arcForms {
		f.Add([]byte(`<pnml><net id="n" type="http://www.pnml.org/version-2009/grammar/ptnet"><page id="g"><place id="p0"/><transition id="t0"/>` +
			fmt.Sprintf(form, i) + "</page></net></pnml>"))
	}
	f.Fuzz(func(t *testing.T, text []byte) { readBoth(t, text) })
}

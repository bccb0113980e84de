package pnml

import (
	"reflect"
	"strings"
	"testing"

	"pnmc/petri"
)

const drawn = `<pnml><net id="n" type="ptnet"><graphics><position x="9" y="9"/></graphics><page id="g">
<place id="p"><name><text>p</text><graphics><offset x="1" y="2"/></graphics></name>
  <toolspecific tool="x" version="1"><graphics><position x="7" y="7"/></graphics></toolspecific>
  <graphics><position x=" 10" y="20.5"/><dimension x="40" y="40"/></graphics></place>
<transition id="t"><graphics><position x="-3" y="1e2"/></graphics></transition>
<transition id="u"><graphics><position x="left" y="1"/></graphics></transition>
<transition id="v"/>
<arc id="a" source="p" target="t"><graphics><position x="1" y="2"/><position x="3" y="4"/></graphics><inscription><graphics><offset x="0" y="0"/></graphics><text>1</text></inscription></arc>
<arc id="b" source="t" target="p"/>
</page></net><net id="m" type="ptnet"><page id="h"><place id="q"><graphics><position x="5" y="6"/></graphics></place></page></net></pnml>`

// TestReadDrawing: positions are those of nodes and arcs, not of their labels or of tools.
func TestReadDrawing(t *testing.T) {
	d, err := Reader{Net: "n"}.ReadDrawing(strings.NewReader(drawn), "drawn")
	if err != nil {
		t.Fatal(err)
	}
	want := &petri.Drawing{
		Nodes: map[string]petri.Point{"p": {X: 10, Y: 20.5}, "t": {X: -3, Y: 100}},
		Bends: map[[2]string][]petri.Point{{"p", "t"}: {{X: 1, Y: 2}, {X: 3, Y: 4}}},
	}
	if !reflect.DeepEqual(d, want) {
		t.Errorf("%v, expected %v", d, want)
	}
	d, err = Reader{Net: "m"}.ReadDrawing(strings.NewReader(drawn), "drawn")
	if err != nil || len(d.Nodes) != 1 || d.Nodes["q"] != (petri.Point{X: 5, Y: 6}) {
		t.Errorf("%v, %v", d, err)
	}
	for i := range drawn { // cut anywhere, it ends with an error or with less
		if _, err := (Reader{}).ReadDrawing(strings.NewReader(drawn[:i]), "drawn"); err == nil && i > 0 && i < len(drawn)-7 {
			t.Fatalf("cut at %d: no error", i)
		}
	}
}

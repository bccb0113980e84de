package twin_test

import (
	"fmt"
	"strings"
	"testing"

	"pnmc/internal/torture/twin"
)

// ring is a net in which two tokens go round, and may get stuck.
const ring = `<?xml version="1.0"?><pnml xmlns="http://www.pnml.org/version-2009/grammar/pnml"><net id="n"><page id="g"><page id="h">
<place id="p"><initialMarking><text> 2 </text></initialMarking></place></page><place id="q"/><place id="r"/>
<transition id="t"/><transition id="u"/><transition id="v"/>
<arc id="1" source="p" target="t"/><arc id="2" source="t" target="q"><inscription><text>1</text></inscription></arc>
<arc id="3" source="q" target="u"/><arc id="4" source="u" target="p"/>
<arc id="5" source="q" target="v"/><arc id="6" source="q" target="v"/><arc id="7" source="v" target="r"/>
</page></net></pnml>`

func readRing(t *testing.T) *twin.Net {
	t.Helper()
	n, err := twin.ReadNet([]byte(ring))
	if err != nil {
		t.Fatal(err)
	}
	return n
}

func TestReplay(t *testing.T) {
	for _, x := range []struct{ trace, problem string }{
		{`{"prefix":[{"transition":"t"}],"cycle":[{"transition":"u"},{"transition":"t"}]}`, ""},
		{`{"prefix":[{"transition":"t"},{"transition":"t"},{"transition":"v"}],"cycle":[{"deadlock":true}]}`, ""},
		{`{"prefix":[],"cycle":[{"transition":"u"},{"transition":"t"}]}`, `cycle, step 1: transition "u" is not enabled`},
		{`{"prefix":[{"transition":"t"}],"cycle":[{"deadlock":true}]}`, "a transition could fire"},
		{`{"prefix":[],"cycle":[{"transition":"t"}]}`, "fewer tokens"},
		{`{"prefix":[],"cycle":[{"transition":"w"}]}`, "not there"},
		{`{"prefix":[{"transition":"t","times":2},{"transition":"v"}],"cycle":[]}`, ""},
		{`{"prefix":[{"transition":"t","times":3}],"cycle":[]}`, "prefix, step 1"},
	} {
		trace, err := twin.ReadTrace([]byte(x.trace))
		if err != nil {
			t.Fatal(err)
		}
		_, _, err = trace.Replay(readRing(t), nil)
		if (x.problem == "") != (err == nil) || err != nil && !strings.Contains(err.Error(), x.problem) {
			t.Errorf("%s: %v, expected %q", x.trace, err, x.problem)
		}
	}
}

// TestReplayBinding: of the bindings of a coloured transition, the one that a step names is taken.
func TestReplayBinding(t *testing.T) {
	n := twin.NewNet()
	p := n.AddPlace("p", 1)
	red, blue := n.AddPlace("q", 0), n.AddPlace("q", 0)
	for value, place := range map[string]int{"red": red, "blue": blue} {
		n.Bindings["t[x="+value+",y=c]"] = []int{n.AddTransition("t", []twin.Arc{{Place: p, Weight: 1}}, []twin.Arc{{Place: place, Weight: 1}})}
	}
	for value, place := range map[string]int{"red": red, "blue": blue} {
		trace, err := twin.ReadTrace([]byte(`{"prefix":[{"transition":"t","name":"t[y=c,x=` + value + `]"}],"cycle":[]}`))
		if err != nil {
			t.Fatal(err)
		}
		if _, m, err := trace.Replay(n, nil); err != nil || m[place] != 1 {
			t.Errorf("%s: %v, %v", value, m, err)
		}
	}
}

// TestReplayWord: the word has the atoms' values before each step.
func TestReplayWord(t *testing.T) {
	atoms := []*twin.Atom{{Fireable: []string{"u"}}, {LessBy: 2, More: []string{"q"}}, {Deadlock: true}}
	trace, err := twin.ReadTrace([]byte(`{"prefix":[{"transition":"t"},{"transition":"t"},{"transition":"v"}],"cycle":[{"deadlock":true}]}`))
	if err != nil {
		t.Fatal(err)
	}
	w, m, err := trace.Replay(readRing(t), atoms)
	if err != nil {
		t.Fatal(err)
	}
	for i, expected := range []uint64{0, 1, 3} {
		if w.Prefix[i] != expected {
			t.Errorf("prefix %v", w.Prefix)
		}
	}
	if len(w.Cycle) != 1 || w.Cycle[0] != 4 || m[2] != 1 {
		t.Errorf("cycle %v, marking %v", w.Cycle, m)
	}
	// Without its cycle, the run goes on in the only way there is.
	trace.Cycle = nil
	if again, _, err := trace.Replay(readRing(t), atoms); err != nil || fmt.Sprint(again) != fmt.Sprint(w) {
		t.Errorf("continued: %v, %v, expected %v", again, err, w)
	}
}

// TestCTL: truth values worked out by hand.
func TestCTL(t *testing.T) {
	g := readRing(t).Explore(100)
	if len(g.Markings) != 4 || !g.Whole {
		t.Fatalf("%d markings", len(g.Markings))
	}
	dead := twin.Proposition(&twin.Atom{Deadlock: true})
	u := twin.Proposition(&twin.Atom{Fireable: []string{"u"}})
	path := func(paths, op twin.Op, f *twin.Formula) *twin.Formula { return twin.Unary(paths, twin.Unary(op, f)) }
	for _, x := range []struct {
		name     string
		formula  *twin.Formula
		expected bool
	}{
		{"EF deadlock", path(twin.SomePath, twin.Finally, dead), true},
		{"AF deadlock", path(twin.AllPaths, twin.Finally, dead), false},
		{"AX u", path(twin.AllPaths, twin.Next, u), true},
		{"AG EF u", path(twin.AllPaths, twin.Globally, path(twin.SomePath, twin.Finally, u)), false},
		{"EG not deadlock", path(twin.SomePath, twin.Globally, twin.Unary(twin.Not, dead)), true},
		{"EF AX 0", path(twin.SomePath, twin.Finally, path(twin.AllPaths, twin.Next, &twin.Formula{Op: twin.False})), true},
		{"EF EX 1 and deadlock", path(twin.SomePath, twin.Finally, twin.Binary(twin.And, dead, path(twin.SomePath, twin.Next, &twin.Formula{Op: twin.True}))), false},
		{"E not u U u", twin.Unary(twin.SomePath, twin.Binary(twin.Until, twin.Unary(twin.Not, u), u)), true},
	} {
		if found := g.CTL(x.formula)[0]; found != x.expected {
			t.Errorf("%s: %v", x.name, found)
		}
	}
}

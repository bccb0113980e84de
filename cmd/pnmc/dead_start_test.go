package main

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pnmc/cmd/pnmc/internal/exit"
)

// TestDeadStart: where the initial marking is a deadlock, the run that shows a violation
// stays there for ever, whatever has decided it.
func TestDeadStart(t *testing.T) {
	folder := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(folder, name)
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		return path
	}
	plain := write("plain.pnml", `<pnml xmlns="http://www.pnml.org/version-2009/grammar/pnml"><net id="n" type="http://www.pnml.org/version-2009/grammar/ptnet"><page id="g">`+
		`<place id="p"><initialMarking><text>1</text></initialMarking></place><place id="q"/><transition id="t"/><arc id="a" source="q" target="t"/><arc id="b" source="t" target="p"/></page></net></pnml>`)
	coloured := write("coloured.pnml", `<pnml xmlns="http://www.pnml.org/version-2009/grammar/pnml"><net id="n" type="http://www.pnml.org/version-2009/grammar/symmetricnet">`+
		`<declaration><structure><declarations><namedsort id="d" name="d"><cyclicenumeration><feconstant id="one" name="one"/><feconstant id="two" name="two"/></cyclicenumeration></namedsort>`+
		`<variabledecl id="x" name="x"><usersort declaration="d"/></variabledecl></declarations></structure></declaration><page id="g">`+
		`<place id="p"><type><structure><usersort declaration="d"/></structure></type><hlinitialMarking><structure><all><usersort declaration="d"/></all></structure></hlinitialMarking></place>`+
		`<place id="q"><type><structure><usersort declaration="d"/></structure></type></place><transition id="t"/>`+
		`<arc id="a" source="q" target="t"><hlinscription><structure><variable refvariable="x"/></structure></hlinscription></arc>`+
		`<arc id="b" source="t" target="p"><hlinscription><structure><variable refvariable="x"/></structure></hlinscription></arc></page></net></pnml>`)
	all := write("all.hoa", "HOA: v1\nStates: 1\nStart: 0\nAP: 1 \"p >= 1\"\nAcceptance: 0 t\n--BODY--\nState: 0\n[t] 0\n--END--\n")
	trace := filepath.Join(folder, "trace.json")
	for _, net := range []string{plain, coloured} {
		for _, asked := range [][]string{{"--ltl", "F q >= 1"}, {"--ltl", "G p <= 0"}, {"--ltl", "X q >= 1"}, {"--hoa", all}} {
			var stdout, stderr bytes.Buffer
			code := run(context.Background(), append([]string{"pnmc", "--pnml", net, "--trace", trace}, asked...), nil, &stdout, &stderr)
			text, err := os.ReadFile(trace)
			if code != exit.Violated || err != nil {
				t.Fatalf("%s, %q: exit code %d, %v: %s", filepath.Base(net), asked, code, err, &stderr)
			}
			var run struct{ Prefix, Cycle []struct{ Deadlock bool } }
			if err := json.Unmarshal(bytes.TrimSpace(text), &run); err != nil || len(run.Prefix) > 0 || len(run.Cycle) != 1 || !run.Cycle[0].Deadlock {
				t.Errorf("%s, %q by %s: %s%v", filepath.Base(net), asked, strings.TrimSpace(stdout.String()), text, err)
			}
		}
	}
}

package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestHiddenPlaces: where a word or a number of a question stands for itself, though the
// net has a place of that name, that is told with what names the place; where the place is
// meant, or the number compares places, nothing is.
func TestHiddenPlaces(t *testing.T) {
	folder := t.TempDir()
	net, other, file := filepath.Join(folder, "net.pnml"), filepath.Join(folder, "other.pnml"), filepath.Join(folder, "f.ltl")
	text := `<pnml xmlns="http://www.pnml.org/version-2009/grammar/pnml"><net id="n" type="http://www.pnml.org/version-2009/grammar/ptnet"><page id="g">` +
		`<place id="5"><initialMarking><text>1</text></initialMarking></place><place id="true"/><place id="xor"/><place id="0"/><place id="p"/>` +
		`<transition id="t"/><arc id="a" source="5" target="t"/><arc id="b" source="t" target="p"/></page></net></pnml>`
	renamed := strings.NewReplacer(`"5"`, `"five"`, `"true"`, `"yes"`, `"xor"`, `"or1"`, `"0"`, `"none"`).Replace(text)
	for path, text := range map[string]string{net: text, other: renamed, file: "F true\n"} {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, test := range []struct{ flag, text, hidden string }{
		{"--reachable", "true", "true"}, {"--reachable", "5>=1", "5"}, {"--reachable", "p>=1 | true", "true"},
		{"--reachable", "xor", "xor"}, {"--reachable", "5", ""}, {"--reachable", "p>=5", ""},
		{"--reachable", `"5">=1`, ""}, {"--reachable", "tokens(5)>=1", ""}, {"--invariant", "0 = 0", "0"},
		{"--bound", "5", ""}, {"--bound", "5+p", "5"}, {"--bound", "true", "true"}, {"--bound", "5*p", ""}, {"--bound", "tokens(5,p)", ""},
		{"--ltl", "F true", "true"}, {"--ltl", "0", "0"}, {"--ltl", "F(5>=1)", "5"}, {"--ltl", "F(xor)", "xor"}, {"--ltl", "5", "5"},
		{"--ltl", `F "5"`, ""}, {"--ltl", `F "5>=1"`, "5"}, {"--ltl", "1", ""}, {"--ltl", "F(tokens(5)>=1)", ""},
		{"--ctl", "EF true", "true"}, {"--ctl", "EF 5>=1", "5"}, {"--ctl", "EF xor", "xor"}, {"--ctl", "EF p>=5", ""},
		{"--ltl-file", file, "true"}, {"--ctl-file", file, ""},
	} {
		_, told := complaintsOf(t, "--pnml", net, test.flag, test.text)
		isTold := strings.Contains(told, "tokens("+test.hidden+")")
		if test.hidden != "" && !isTold || test.hidden == "" && strings.Contains(told, "warning") {
			t.Errorf("%s %s: %s", test.flag, test.text, told)
		}
		if _, told := complaintsOf(t, "--pnml", other, test.flag, test.text); strings.Contains(told, "write tokens") || strings.Contains(told, "warning") {
			t.Errorf("%s %s, of a net without such places: %s", test.flag, test.text, told)
		}
	}
}

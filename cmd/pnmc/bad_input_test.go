package main

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pnmc/cmd/pnmc/internal/exit"
	"pnmc/cmd/pnmc/internal/input"
)

// TestNothingIsBadInput: where a net, automata, formulas, properties or definitions are
// expected, nothing, the beginning of a file, a folder and a file that isn't there are bad
// input for every command, by name or on standard input, in few words that name the file.
func TestNothingIsBadInput(t *testing.T) {
	folder := t.TempDir()
	cut := func(name string, most int) string {
		text, err := os.ReadFile(filepath.Join("../../testdata", name))
		if err != nil {
			t.Fatal(err)
		}
		path := filepath.Join(folder, "cut-"+name)
		if err := os.WriteFile(path, text[:most], 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	empty := filepath.Join(folder, "empty")
	if err := os.WriteFile(empty, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	bad := map[string][]string{
		"net":      {empty, cut("philosophers.pnml", 700), folder, filepath.Join(folder, "absent"), "-"},
		"automata": {empty, cut("philosophers.hoa", 300), folder, filepath.Join(folder, "absent"), "-"},
		"other":    {empty, folder, filepath.Join(folder, "absent"), "-"},
	}
	const net, automata = "../../testdata/philosophers.pnml", "../../testdata/philosophers.hoa"
	for _, test := range []struct{ Kind, arguments string }{
		{"net", "--pnml FILE --deadlock"}, {"net", "--pnml FILE --ltl a --approach tgba"}, {"net", "states --pnml FILE"},
		{"net", "unfold --pnml FILE"}, {"net", "convert --pnml FILE --to etf"}, {"net", "view FILE"},
		{"net", "bench --pnml FILE --formulas " + automata}, {"net", "cross --pnml FILE -f a -- false_%f"},
		{"net", "mcc FILE --examination OneSafe"}, {"net", "batch FILE --out " + filepath.Join(folder, "results")},
		{"automata", "--pnml " + net + " --hoa FILE"}, {"automata", "--pnml " + net + " --tgta FILE"},
		{"automata", "--pnml " + net + " --approach tgba --hoa FILE"}, {"automata", "convert --hoa FILE"},
		{"automata", "intersect FILE " + automata}, {"automata", "intersect " + automata + " FILE"},
		{"automata", "include FILE " + automata}, {"automata", "include " + automata + " FILE"},
		{"automata", "equivalent FILE " + automata}, {"automata", "equivalent " + automata + " FILE"},
		{"automata", "view " + net + " --hoa FILE"}, {"automata", "bench --pnml " + net + " --formulas FILE --approaches tgba"},
		{"other", "--pnml " + net + " --ltl-file FILE"}, {"other", "--pnml " + net + " --ctl-file FILE"},
		{"other", "--pnml " + net + " --queries FILE"}, {"other", "--pnml " + net + " --deadlock --ap FILE"},
		{"other", "--pnml " + net + ` --ltl 1 --approach tgba --ap FILE`}, {"other", "translate --ltl-file FILE"},
		{"other", "view " + net + " --queries FILE"}, {"other", "states --etf FILE"}, {"other", "convert --etf FILE --to pnml"},
	} {
		for _, file := range bad[test.Kind] {
			arguments := strings.Fields(strings.ReplaceAll(test.arguments, "FILE", file))
			if arguments[0] == "view" {
				arguments = append(arguments, "-o", filepath.Join(folder, "page.html"))
			}
			var out, complaints bytes.Buffer
			code := run(context.Background(), append([]string{"pnmc"}, arguments...), strings.NewReader(""), &out, &complaints)
			told := complaints.String()
			name := input.Name(file)
			if name == input.StandardInput && (arguments[0] == "mcc" || arguments[0] == "batch") {
				name = "-" // they take folders
			}
			if code != exit.Input || !strings.Contains(told, name) || strings.Count(told, "\n") > 2 && !strings.Contains(file, "cut-") {
				t.Errorf("%q: exit code %d, %s", arguments, code, told)
			}
		}
	}
}

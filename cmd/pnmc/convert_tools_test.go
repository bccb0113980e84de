package main

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pnmc/cmd/pnmc/internal/exit"
)

// TestUnwritableInput: what a format cannot say is told with the file that it comes from, and is
// bad input, in each conversion and on standard output as in a file.
func TestUnwritableInput(t *testing.T) {
	folder := t.TempDir()
	at := func(name string) string { return filepath.Join(folder, name) }
	const head = `<pnml xmlns="http://www.pnml.org/version-2009/grammar/pnml"><net id="n" type="http://www.pnml.org/version-2009/grammar/ptnet"><page id="g">`
	write(t, at("none.pnml"), head+`<transition id="t"/></page></net></pnml>`)
	write(t, at("control.net"), "tr {a\x01b} p -> q\n")
	write(t, at("control.etf"), "begin state\ns\u0001:bit\nend state\nbegin edge\nend edge\nbegin init\n0\nend init\nbegin trans\n0/1\nend trans\n")
	for _, test := range []struct {
		file      string
		arguments []string
	}{
		{"none.pnml", []string{"convert", "--to", "lola", "--pnml"}},
		{"control.net", []string{"convert", "--to", "pnml", "--pnml"}},
		{"control.net", []string{"convert", "--to", "pnml-2004", "--pnml"}},
		{"control.etf", []string{"convert", "--to", "pnml", "--etf"}},
		{"control.net", []string{"unfold", "--pnml"}},
		{"control.net", []string{"reduce", "--for", "liveness", "--pnml"}},
	} {
		arguments := append(test.arguments, at(test.file))
		for _, arguments := range [][]string{arguments, append(arguments, "-o", at("out"))} {
			code, stdout, stderr := runPnmc(t, arguments...)
			if code != exit.Input || !strings.HasPrefix(stderr, "pnmc: "+at(test.file)+": ") || strings.Count(stderr, "\n") != 1 {
				t.Errorf("%v: exit code %d, %q, %s", arguments, code, stdout, stderr)
			}
			if _, err := os.Stat(at("out")); !os.IsNotExist(err) {
				t.Errorf("%v: there is a file, %v", arguments, err)
			}
		}
	}
}

// TestConvertForOtherTools: a net goes to Tina, on to LoLA and back to PNML as it was; what a
// format cannot say, and a format that is none, are told.
func TestConvertForOtherTools(t *testing.T) {
	folder := t.TempDir()
	at := func(name string) string { return filepath.Join(folder, name) }
	model := filepath.Join("..", "..", "testdata", "philosophers.pnml")
	for _, step := range [][]string{
		{"--pnml", model, "--to", "pnml", "-o", at("first.pnml")},
		{"--pnml", model, "--to", "tina", "-o", at("a.net")},
		{"--pnml", at("a.net"), "--to", "pnml-2004", "-o", at("b.pnml")},
		{"--pnml", at("b.pnml"), "--to", "pnml", "-o", at("last.pnml")},
		{"--pnml", at("a.net"), "--to", "lola", "-o", at("a.LoLA")},
		{"--pnml", at("a.LoLA"), "--net-format", "lola", "--to", "gal", "-o", at("a.gal")},
		{"--pnml", at("a.LoLA"), "--to", "svg", "-o", at("a.svg")},
	} {
		if code, _, stderr := runPnmc(t, append([]string{"convert"}, step...)...); code != exit.Holds {
			t.Fatalf("%v: exit code %d, %s", step, code, stderr)
		}
	}
	first, err := os.ReadFile(at("first.pnml"))
	if err != nil {
		t.Fatal(err)
	}
	last, err := os.ReadFile(at("last.pnml"))
	if err != nil {
		t.Fatal(err)
	}
	if string(first) != string(last) {
		t.Errorf("%s\ncame back as\n%s", first, last)
	}
	inhibited := at("inhibited.net")
	if err := os.WriteFile(inhibited, []byte("tr t p?-2 -> q\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	many := at("many.net")
	if err := os.WriteFile(many, []byte("pl p (1100000)\ntr t p -> q\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		arguments []string
		code      int
		want      string
	}{
		{[]string{"--pnml", many, "--to", "etf"}, exit.Input, "pnmc: " + many + `: event "t" needs more than `},
		{[]string{"--pnml", inhibited, "--to", "lola"}, exit.Input, "pnmc: " + inhibited + `: transition "t": LoLA's format cannot say its inhibitor arc from "p"`},
		{[]string{"--pnml", inhibited, "--net-format", "pnml", "--to", "lola"}, exit.Input, "inhibited.net:1:"},
		{[]string{"--pnml", inhibited, "--net", "n", "--to", "lola"}, exit.Usage, "--net chooses one of several nets in PNML"},
		{[]string{"--pnml", inhibited, "--net-format", "prod", "--to", "lola"}, exit.Usage, `expected pnml, tina or lola, found "prod"`},
	} {
		code, _, stderr := runPnmc(t, append([]string{"convert"}, test.arguments...)...)
		if code != test.code || !strings.Contains(stderr, test.want) {
			t.Errorf("%v: exit code %d, %s", test.arguments, code, stderr)
		}
	}
}

// runPnmc runs the command.
func runPnmc(t *testing.T, arguments ...string) (code int, stdout, stderr string) {
	t.Helper()
	var out, messages bytes.Buffer
	code = run(context.Background(), append([]string{"pnmc"}, arguments...), nil, &out, &messages)
	return code, out.String(), messages.String()
}

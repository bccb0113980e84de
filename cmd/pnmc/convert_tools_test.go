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
	for _, test := range []struct {
		arguments []string
		code      int
		want      string
	}{
		{[]string{"--pnml", inhibited, "--to", "lola"}, exit.Input, `transition "t": LoLA's format cannot say its inhibitor arc from "p"`},
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

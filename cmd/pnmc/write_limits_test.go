package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"pnmc/cmd/pnmc/internal/exit"
)

// slowWriter takes longer for the first text than the time that is given.
type slowWriter struct {
	bytes.Buffer
	first time.Duration
}

func (w *slowWriter) Write(text []byte) (int, error) {
	time.Sleep(w.first)
	w.first = 0
	return w.Buffer.Write(text)
}

// TestLimitsCutWritingShort: a net is written as long as there is time: whole lines on standard
// output, and no file.
func TestLimitsCutWritingShort(t *testing.T) {
	var text strings.Builder
	text.WriteString(`<pnml xmlns="http://www.pnml.org/version-2009/grammar/pnml"><net id="n" type="http://www.pnml.org/version-2009/grammar/ptnet"><page id="g">`)
	var kept []string
	for i := range 2000 {
		name := "p" + strings.Repeat("q", i%7) + string(rune('a'+i%26)) + strings.Repeat("r", i/26)
		kept = append(kept, name)
		text.WriteString(`<place id="` + name + "\"/>\n")
	}
	text.WriteString("</page></net></pnml>")
	net := filepath.Join(t.TempDir(), "wide.pnml")
	if err := os.WriteFile(net, []byte(text.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	const limit = time.Second
	for _, arguments := range [][]string{
		{"unfold"},
		{"reduce", "--for", "ltl", "--keep", strings.Join(kept, ",")},
		{"convert", "--to", "pnml-2004"},
	} {
		arguments = append([]string{"pnmc", arguments[0], "--pnml", net, "--timeout", limit.String()}, arguments[1:]...)
		var stderr bytes.Buffer
		stdout := &slowWriter{first: limit + limit/10}
		code := run(context.Background(), arguments, nil, stdout, &stderr)
		if code != exit.Unknown || strings.Contains(stdout.String(), "</pnml>") || !strings.HasSuffix("\n"+stdout.String(), "\n") {
			t.Errorf("%s: exit code %d, %d bytes\n%s", arguments[1], code, stdout.Len(), &stderr)
		}
		if !strings.Contains(stderr.String(), "time limit of 1s reached") {
			t.Errorf("%s: %s", arguments[1], &stderr)
		}
	}
}

// ringFile returns a file of an automaton of so many states, and of one state after it.
func ringFile(t *testing.T, states int) string {
	t.Helper()
	var text strings.Builder
	fmt.Fprintf(&text, "HOA: v1\nname: \"ring\"\nStates: %d\nStart: 0\nAP: 1 \"a\"\nAcceptance: 0 t\n--BODY--\n", states)
	for s := range states {
		fmt.Fprintf(&text, "State: %d\n[0] %d\n", s, (s+1)%states)
	}
	text.WriteString("--END--\nHOA: v1\nname: \"small\"\nStates: 1\nStart: 0\nAP: 1 \"a\"\nAcceptance: 0 t\n--BODY--\nState: 0\n[t] 0\n--END--\n")
	file := filepath.Join(t.TempDir(), "ring.hoa")
	if err := os.WriteFile(file, []byte(text.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

// TestLimitsCutAutomataShort: an automaton for which there is no more time can't be taken for one
// that is whole, those after it are written, and nothing is left of a file.
func TestLimitsCutAutomataShort(t *testing.T) {
	ring := ringFile(t, 20_000)
	const limit = time.Second
	for _, c := range []struct {
		arguments  []string
		cut, small string // how the ring ends, and how the other one is written
	}{
		{[]string{"--to", "hoa"}, "--ABORT--\nHOA: v1", "--BODY--\nState: 0\n[t] 0\n--END--\n"},
		{[]string{"--to", "hoa", "--one-line"}, "--ABORT--\nHOA: v1", "--BODY-- State: 0 [t] 0 --END--\n"},
		{[]string{"--to", "dot"}, "]\ndigraph \"small\" {", "0 -> 0 [label=\"1\"]\n}\n"},
	} {
		var stderr bytes.Buffer
		stdout := &slowWriter{first: limit + limit/10}
		arguments := append([]string{"pnmc", "convert", "--hoa", ring, "--timeout", limit.String()}, c.arguments...)
		code := run(context.Background(), arguments, nil, stdout, &stderr)
		text := stdout.String()
		if code != exit.Unknown || strings.Count(text, c.cut) != 1 || !strings.HasSuffix(text, c.small) || strings.Count(text, "END")+strings.Count(text, "}") != 1 {
			t.Errorf("%v: exit code %d\n… %s", c.arguments, code, text[max(0, len(text)-400):])
		}
		if want := ring + ":1:1: ring: not written whole: time limit of 1s reached"; !strings.Contains(stderr.String(), want) {
			t.Errorf("%v: no %q in\n%s", c.arguments, want, &stderr)
		}
	}
	out := filepath.Join(t.TempDir(), "out")
	if code := run(context.Background(), []string{"pnmc", "convert", "--hoa", ringFile(t, 300_000), "--timeout", "50ms", "-o", out}, nil, io.Discard, io.Discard); code != exit.Unknown {
		t.Errorf("exit code %d", code)
	}
	if _, err := os.Stat(out); err == nil {
		t.Error("a file is left")
	}
}

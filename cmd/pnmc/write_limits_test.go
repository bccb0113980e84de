package main

import (
	"bytes"
	"context"
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

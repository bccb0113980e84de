package main

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/urfave/cli/v2"

	"pnmc/cmd/pnmc/internal/exit"
)

// TestManual: there is a page for each command, which has each flag, and no request of the
// language of man but those that are meant.
func TestManual(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "man")
	var stdout, stderr bytes.Buffer
	if code := run(context.Background(), []string{"pnmc", "man", "-o", folder}, nil, &stdout, &stderr); code != exit.Holds {
		t.Fatalf("exit code %d, %s", code, &stderr)
	}
	app := newApp(nil, &stdout, &stderr)
	pages := 0
	check := func(command *cli.Command, flags []cli.Flag) {
		path := filepath.Join(folder, manualName(command)+".1")
		text, err := os.ReadFile(path)
		if err != nil {
			t.Error(err)
			return
		}
		pages++
		for _, f := range flags {
			hidden := false
			if v, ok := f.(cli.VisibleFlag); ok {
				hidden = !v.IsVisible()
			}
			if name := `\fB` + roff("--"+f.Names()[0]) + `\fR`; strings.Contains(string(text), name) == hidden {
				t.Errorf("%s and %s: hidden %v", path, name, hidden)
			}
		}
		for line := range strings.Lines(string(text)) {
			request, _, _ := strings.Cut(strings.TrimSpace(line), " ")
			if strings.HasPrefix(line, ".") && !strings.Contains(" .TH .SH .TP .BR .nf .fi ", " "+request+" ") || strings.HasPrefix(line, "'") {
				t.Errorf("%s: the request %q", path, line)
			}
		}
		for _, part := range []string{"internal error", ".SH EXIT STATUS", ".SH OPTIONS"} {
			if !strings.Contains(string(text), part) {
				t.Errorf("%s lacks %q", path, part)
			}
		}
		// groff warns of what it can't read.
		if groff, err := exec.LookPath("groff"); err == nil {
			out, err := exec.Command(groff, "-man", "-Tutf8", "-ww", "-z", path).CombinedOutput()
			if err != nil || len(out) > 0 {
				t.Errorf("%s: %v, %s", path, err, out)
			}
		}
	}
	check(nil, app.Flags)
	for _, c := range app.VisibleCommands() {
		if c.Name != "help" {
			check(c, c.Flags)
		}
	}
	if list, _ := filepath.Glob(filepath.Join(folder, "*")); len(list) != pages {
		t.Errorf("%d files for %d pages", len(list), pages)
	}
	stdout.Reset()
	if code := run(context.Background(), []string{"pnmc", "man", "states"}, nil, &stdout, &stderr); code != exit.Holds || !strings.HasPrefix(stdout.String(), `.TH PNMC\-STATES 1`) {
		t.Errorf("exit code %d, %.40q", code, &stdout)
	}
	for _, arguments := range [][]string{{"nothing"}, {"states", "mcc"}, {"-o", folder, "states"}} {
		if code := run(context.Background(), append([]string{"pnmc", "man"}, arguments...), nil, &stdout, &stderr); code != exit.Usage {
			t.Errorf("man %q: exit code %d", arguments, code)
		}
	}
}

package main

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pnmc/checker"
	"pnmc/cmd/pnmc/internal/exit"
	"pnmc/internal/browser"
)

// TestLateAnswersHaveNoLine: once the page of an examination is begun, an answer has no line, so that lines and page tell
// the same.
func TestLateAnswersHaveNoLine(t *testing.T) {
	lines := 0
	p := &contestPages{path: filepath.Join(t.TempDir(), "page.html")}
	answered := func() {
		p.add("deadlock", checker.Problem{}, checker.Deadlock{}, checker.Answer{}, func() { lines++ })
	}
	answered()
	if lines != 1 || len(p.answers) != 1 {
		t.Fatalf("%d lines for %d answers, expected one for one", lines, len(p.answers))
	}
	p.answers = nil // there is nothing to show
	if err := p.write(); err != nil {
		t.Fatal(err)
	}
	if answered(); lines != 1 || len(p.answers) != 0 {
		t.Errorf("%d lines for %d answers after the page, expected one line for what was before", lines, len(p.answers))
	}
}

// TestMCCPages: an examination leaves a page with its answers, which plays their runs; an
// examination of sizes leaves none.
func TestMCCPages(t *testing.T) {
	folder, pages := contestFolder(t), filepath.Join(t.TempDir(), "new", "pages")
	for _, examination := range []string{"ReachabilityCardinality", "ReachabilityDeadlock", "StateSpace"} {
		var stdout, stderr bytes.Buffer
		arguments := []string{"pnmc", "mcc", "--examination", examination, "--time", "20", "--memory", "1000", "--trace", pages, folder}
		if code := run(context.Background(), arguments, strings.NewReader(""), &stdout, &stderr); code != exit.Holds && code != exit.Input {
			t.Fatalf("%s: exit code %d, %s", examination, code, &stderr)
		}
	}
	list, err := filepath.Glob(filepath.Join(pages, "*"))
	if err != nil || len(list) != 2 {
		t.Fatalf("pages: %q, %v", list, err)
	}
	deadlock := list[1]
	if !strings.HasSuffix(deadlock, "-ReachabilityDeadlock.html") || !strings.HasSuffix(list[0], "-ReachabilityCardinality.html") {
		t.Fatalf("pages: %q", list)
	}
	b := browser.Start(t)
	page := b.Open(t, deadlock)
	page.Press("End")
	var said string
	page.Evaluate(`document.getElementById("now").textContent`, &said)
	if !strings.Contains(said, "in a deadlock") {
		t.Errorf("the page says %q", said)
	}
	silent(t, page)
	if err := os.WriteFile(filepath.Join(pages, "file"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	var stdout, stderr bytes.Buffer
	arguments := []string{"pnmc", "mcc", "--examination", "OneSafe", "--time", "20", "--trace", filepath.Join(pages, "file"), folder}
	if code := run(context.Background(), arguments, strings.NewReader(""), &stdout, &stderr); code != exit.Input {
		t.Errorf("a file as a folder: exit code %d, %s", code, &stderr)
	}
}

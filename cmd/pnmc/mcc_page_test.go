package main

import (
	"bytes"
	"context"
	"flag"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/urfave/cli/v2"

	"pnmc/checker"
	"pnmc/cmd/pnmc/internal/exit"
	"pnmc/cmd/pnmc/internal/limits"
	"pnmc/cmd/pnmc/internal/progress"
	"pnmc/internal/browser"
	"pnmc/mcc"
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

// TestMCCPagesHaveTheLimitsOfTheExamination: a page has the memory of its examination, and its time until the end of that.
func TestMCCPagesHaveTheLimitsOfTheExamination(t *testing.T) {
	flags := flag.NewFlagSet("", flag.ContinueOnError)
	flags.String("trace", t.TempDir(), "")
	app := cli.NewApp()
	app.Writer, app.ErrWriter = io.Discard, io.Discard
	allowance := new(limits.Allowance)
	app.Metadata = map[string]any{limits.AllowanceKey: allowance}
	c := cli.NewContext(app, flags, nil)
	c.Context = t.Context()
	options := mcc.Options{Start: time.Now(), Time: time.Hour, MemoryBytes: 8 << 30}
	if err := examine(c, progress.NewMessenger(c), contestFolder(t), "ReachabilityDeadlock", options); err != nil {
		t.Fatal(err)
	}
	if allowance.Memory != options.MemoryBytes || allowance.Answer == nil {
		t.Fatalf("%d bytes, %v", allowance.Memory, allowance.Answer)
	}
	if end, limited := allowance.Answer.Deadline(); !limited || !end.Equal(options.Start.Add(options.Time)) {
		t.Errorf("until %v, expected an hour after %v", end, options.Start)
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

package main

import (
	"bytes"
	"context"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pnmc/cmd/pnmc/internal/batches"
	"pnmc/cmd/pnmc/internal/exit"
	"pnmc/internal/browser"
)

// sorted clicks the heading of a column, and returns its cells.
func sorted(page *browser.Page, table string, column string) (cells []string) {
	page.Evaluate(`(() => { const table = document.querySelector("`+table+`"), heads = [...table.rows[0].cells];
		const column = heads.findIndex(h => h.textContent.startsWith("`+column+`"));
		heads[column].querySelector("button").click();
		return [...table.tBodies[0].rows].slice(1).filter(r => !r.classList.contains("total")).map(r => r.cells[column].textContent); })()`, &cells)
	return cells
}

// followed opens what a link of a page leads to, and returns the question that it shows.
func followed(t *testing.T, b *browser.Browser, from, link string) (question string) {
	t.Helper()
	file, hash, _ := strings.Cut(link, "#")
	path, err := url.PathUnescape(file)
	if err != nil {
		t.Fatal(err)
	}
	page := b.Open(t, filepath.Join(filepath.Dir(from), path))
	page.Evaluate(`location.hash = "`+hash+`"; new Promise(done => setTimeout(done, 50))`, nil)
	page.Evaluate(`document.getElementById("question").textContent + " " + document.getElementById("answers").selectedOptions[0]?.textContent`, &question)
	silent(t, page)
	return question
}

// TestBatchPages: the report of a batch with --pages sorts and filters its tables, and each
// answer leads to the page that shows it.
func TestBatchPages(t *testing.T) {
	b := browser.Start(t)
	folder, out := contestFolder(t), t.TempDir()
	var stdout, stderr bytes.Buffer
	code := run(context.Background(), []string{"pnmc", "batch", folder, "--examinations", "ReachabilityCardinality,ReachabilityDeadlock,UpperBounds", "--time", "20", "--memory", "1GB", "--out", out, "--pages"}, nil, &stdout, &stderr)
	if code != exit.Holds && code != exit.Input { // some property files may be missing
		t.Fatalf("exit code %d, %s", code, &stderr)
	}
	report := filepath.Join(out, batches.ReportFile)
	page := b.Open(t, report)
	accessible(t, page)
	page = b.Open(t, report)
	var links []string
	page.Evaluate(`[...document.querySelectorAll("a[href^='pages/'][href*='#']")].map(a => a.getAttribute("href"))`, &links)
	if len(links) == 0 {
		t.Fatalf("no answer leads to a page: %s", &stderr)
	}
	var headings int
	page.Evaluate(`document.querySelectorAll("table.sorts th button").length`, &headings)
	names := sorted(page, "table.sorts", "examination")
	if headings == 0 || !slices.IsSorted(names) {
		t.Errorf("%d headings sort; examinations are now %q", headings, names)
	}
	if back := sorted(page, "table.sorts", "examination"); len(back) > 1 && slices.Equal(back, names) {
		t.Errorf("a second click does not turn the order around: %q", back)
	}
	silent(t, page)
	for _, link := range links[:min(3, len(links))] {
		_, hash, _ := strings.Cut(link, "#")
		if question, _ := url.PathUnescape(hash); !strings.Contains(followed(t, b, report, link), question) {
			t.Errorf("%s does not lead to question %s", link, question)
		}
	}
}

// TestBenchReport: the report of a comparison lists its measurements, filters them, and leads
// from a violated property to a run.
func TestBenchReport(t *testing.T) {
	b := browser.Start(t)
	folder := t.TempDir()
	report := filepath.Join(folder, "compared.html")
	var stdout, stderr bytes.Buffer
	code := run(context.Background(), []string{"pnmc", "bench", "--model", "../../testdata/philosophers.pnml", "--formulas", "../../testdata/philosophers.hoa",
		"--approaches", "ba,tgba", "--jobs", "1", "--max-memory", "1GB", "-o", filepath.Join(folder, "measured.csv"), "--report", report}, nil, &stdout, &stderr)
	if code != exit.Holds {
		t.Fatalf("exit code %d, %s", code, &stderr)
	}
	page := b.Open(t, report)
	accessible(t, page)
	page = b.Open(t, report)
	verdicts := sorted(page, "table.sorts", "verdict")
	if !slices.IsSorted(verdicts) || !slices.Contains(verdicts, "violated") || !slices.Contains(verdicts, "holds") {
		t.Errorf("the verdicts are %q", verdicts)
	}
	var shown struct {
		All, Violated, Without int
		Links                  []string
	}
	page.Evaluate(`(() => { const field = document.querySelector(".filter input"), rows = () => [...document.querySelectorAll("table.sorts tr")].slice(1).filter(r => !r.hidden).length;
		const right = (row, words) => words.every(w => row.textContent.includes(w.replace("-", "")) !== w.startsWith("-"));
		const type = (text) => { field.value = text; field.dispatchEvent(new Event("input"));
			const wrong = [...document.querySelectorAll("table.sorts tr")].slice(1).some(r => r.hidden === right(r, text.split(" ")));
			return wrong ? -1 : rows(); };
		return { All: rows(), Violated: type("violated tgba"), Without: type("-violated -tgba"), Links: [...document.querySelectorAll("td a")].map(a => a.getAttribute("href")) }; })()`, &shown)
	if shown.All != len(verdicts) || shown.Violated <= 0 || shown.Violated >= shown.All || shown.Without <= 0 || shown.Without >= shown.All {
		t.Errorf("the filter shows %+v", shown)
	}
	silent(t, page)
	if len(shown.Links) == 0 {
		t.Fatal("no violated property leads to its run")
	}
	if question := followed(t, b, report, shown.Links[0]); !strings.Contains(question, "philosophers") {
		t.Errorf("%s leads to %q", shown.Links[0], question)
	}
	// Where the runs can't be written, nothing is measured.
	if err := os.Mkdir(filepath.Join(folder, "taken-runs.html"), 0o755); err != nil {
		t.Fatal(err)
	}
	stderr.Reset()
	code = run(context.Background(), []string{"pnmc", "bench", "--model", "../../testdata/philosophers.pnml", "--formulas", "../../testdata/philosophers.hoa", "--report", filepath.Join(folder, "taken.html")}, nil, &stdout, &stderr)
	if code != exit.Input || !strings.Contains(stderr.String(), "taken-runs.html") {
		t.Errorf("exit code %d, %s", code, &stderr)
	}
}

// accessible checks that a report has names for all controls, colours with enough contrast in
// the light and in the dark, and headings that a key sorts by.
func accessible(t *testing.T, page *browser.Page) {
	t.Helper()
	if unnamed := page.Unnamed(); len(unnamed) > 0 {
		t.Errorf("without a name: %q", unnamed)
	}
	for _, theme := range []string{"light", "dark"} {
		page.Prefer("prefers-color-scheme", theme)
		for _, pair := range [][2]string{{"ink", "paper"}, {"faint", "paper"}, {"good", "paper"}, {"bad", "paper"}, {"gap", "paper"}, {"link", "paper"}, {"ink", "head"}} {
			if ratio := page.Contrast(pair[0], pair[1]); ratio < 4.5 {
				t.Errorf("%s: text of %s on %s has a contrast of %.1f, expected 4.5", theme, pair[0], pair[1], ratio)
			}
		}
		var text, ground string
		page.Evaluate(`getComputedStyle(document.querySelector("td")).color`, &text)
		page.Evaluate(`getComputedStyle(document.body).backgroundColor`, &ground)
		want := map[string][2]string{"light": {"rgb(29, 39, 51)", "rgb(255, 255, 255)"}, "dark": {"rgb(230, 233, 236)", "rgb(20, 23, 26)"}}[theme]
		if got := [2]string{text, ground}; got != want {
			t.Errorf("%s: colours of the text and below it are %q", theme, got)
		}
	}
	page.Prefer("prefers-color-scheme", "light")
	var by string
	page.Evaluate(`document.querySelector("table.sorts th button").focus()`, nil)
	page.Press("Enter")
	page.Evaluate(`document.querySelector("table.sorts th").getAttribute("aria-sort")`, &by)
	if by == "" {
		t.Error("Enter on a heading does not sort")
	}
}

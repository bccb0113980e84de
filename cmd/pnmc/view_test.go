package main

import (
	"bytes"
	"context"
	"io"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pnmc/cmd/pnmc/internal/exit"
	"pnmc/cmd/pnmc/internal/interrupt"
	"pnmc/cmd/pnmc/internal/told"
	"pnmc/internal/browser"
)

// viewPage runs pnmc view, and returns the page's path, standard output and the exit code.
func viewPage(t *testing.T, arguments ...string) (string, string, int) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "net.html")
	var stdout, stderr bytes.Buffer
	code := run(context.Background(), append([]string{"pnmc", "view", "-o", path, "--max-memory", "1000MB"}, arguments...), nil, &stdout, &stderr)
	if code > exit.Unknown {
		t.Fatalf("%q: exit code %d, %s", arguments, code, &stderr)
	}
	return path, stdout.String(), code
}

// TestViewByHand: the token game with mouse and keys, undone, with what is enabled as firing
// has it; invariants light up; the deadlock that was found is played.
func TestViewByHand(t *testing.T) {
	b := browser.Start(t)
	file := "../../testdata/philosophers.pnml"
	path, stdout, code := viewPage(t, file)
	if stdout != "" || code != exit.Holds {
		t.Errorf("exit code %d, prints %q", code, stdout)
	}
	page := b.Open(t, path)
	p := newPlayer(t, file)
	same := func(what string) {
		t.Helper()
		var shown map[string]string
		page.Evaluate(shownMarking, &shown)
		if !maps.Equal(shown, p.shows()) {
			t.Errorf("%s: the page shows %v, expected %v", what, shown, p.shows())
		}
	}
	same("at first")
	begin := p.marking
	for _, name := range []string{"takeLeft0", "takeRight2", "takeRight1", "takeLeft2"} {
		before := append(begin[:0:0], p.marking...)
		// Where it lies depends on the layout, so that it is looked up.
		page.Evaluate(`(() => { const g = [...document.querySelectorAll("#net g.transition")].find(g => g.querySelector("title").textContent.split("\n")[0] === "`+name+`");
			document.querySelectorAll("#target").forEach(e => e.removeAttribute("id")); g.querySelector(".body").id = "target"; })()`, nil)
		page.Click("#target")
		fires := false
		for _, enabled := range p.enabled() {
			fires = fires || enabled == name
		}
		if fires {
			p.fire(t, told.Step{Transition: name})
		} else {
			p.marking = before
		}
		same("after a click on " + name)
	}
	// takeRight2 and takeLeft2 have to wait for forks.
	page.Press("u")
	p.marking = newPlayer(t, file).marking
	p.fire(t, told.Step{Transition: "takeLeft0"})
	same("after one was undone")
	page.Press("ArrowRight") // what was undone comes again
	p.fire(t, told.Step{Transition: "takeRight1"})
	same("after one came again")

	var invariants int
	page.Evaluate(`(() => { document.getElementById("structure-panel").open = true; const b = document.querySelectorAll("#structure button"); b[0].click();
		return b.length * (document.querySelectorAll("g.place.member").length > 1); })()`, &invariants)
	if invariants < 3 {
		t.Errorf("%d invariants, or none lights up", invariants)
	}
	page.Press("n", "End")
	var said string
	page.Evaluate(`document.getElementById("now").textContent`, &said)
	if !strings.Contains(said, "The run ends here, in a deadlock.") {
		t.Errorf("the run to a deadlock ends with %q", said)
	}
	silent(t, page)
}

// TestViewAnswers: a page has each answer, with its run or without one.
func TestViewAnswers(t *testing.T) {
	b := browser.Start(t)
	queries := filepath.Join(t.TempDir(), "queries.xml")
	if err := os.WriteFile(queries, []byte(`<property-set xmlns="http://mcc.lip6.fr/">
<property><id>eats</id><formula><exists-path><finally><integer-le><integer-constant>1</integer-constant><tokens-count><place>eats0</place></tokens-count></integer-le></finally></exists-path></formula></property>
<property><id>live</id><formula><all-paths><globally><exists-path><finally><is-fireable><transition>leave1</transition></is-fireable></finally></exists-path></globally></all-paths></formula></property>
</property-set>`), 0o644); err != nil {
		t.Fatal(err)
	}
	path, stdout, code := viewPage(t, "../../testdata/philosophers.pnml", "--queries", queries, "--deadlock", "--bound", "eats0 + eats1", "--invariant", "eats0 <= 1")
	if code == exit.Holds && stdout == "" {
		t.Error("no verdicts are printed")
	}
	page := b.Open(t, path)
	var options []string
	page.Evaluate(`[...document.querySelectorAll("#answers option")].map(o => o.textContent)`, &options)
	if want := strings.Count(stdout, "FORMULA "); want != 5 || len(options) != want+1 {
		t.Errorf("%d choices for %d answers: %q", len(options), want, options)
	}
	for range options {
		page.Press("n", "ArrowRight", "ArrowRight", "End", "ArrowLeft")
	}
	silent(t, page)
}

// TestViewInFiles: without -o the page lies in the current directory, and a net that can't be
// read leaves none.
func TestViewInFiles(t *testing.T) {
	net, err := filepath.Abs("testdata/deadlock.pnml")
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(t.TempDir())
	var stdout, stderr bytes.Buffer
	if code := run(context.Background(), []string{"pnmc", "view", net}, nil, &stdout, &stderr); code != exit.Holds || stderr.Len() > 0 {
		t.Errorf("exit code %d, %s", code, &stderr)
	}
	if text, err := os.ReadFile("deadlock.html"); err != nil || !bytes.HasPrefix(text, []byte("<!DOCTYPE html>")) {
		t.Errorf("%v, %.20q", err, text)
	}
	if err := os.WriteFile("damaged.pnml", []byte("<pnml><net"), 0o644); err != nil {
		t.Fatal(err)
	}
	if code := run(context.Background(), []string{"pnmc", "view", "damaged.pnml"}, nil, &stdout, &stderr); code != exit.Input {
		t.Errorf("exit code %d for a damaged net", code)
	}
	if list, _ := filepath.Glob("damaged.html*"); len(list) > 0 {
		t.Errorf("%q is left of a net that can't be read", list)
	}
	// What the limits end is no page, asked for or not.
	for _, more := range [][]string{{"--timeout", "1ns"}, {"--timeout", "1ns", "--deadlock"}} {
		stderr.Reset()
		code := run(context.Background(), append([]string{"pnmc", "view", net, "-o", "late.html"}, more...), nil, &stdout, &stderr)
		if code != exit.Unknown || !strings.Contains(stderr.String(), "deadlock.pnml: time limit of 1ns reached while it was read\n") {
			t.Errorf("%q: exit code %d, %s", more, code, &stderr)
		}
	}
	if list, _ := filepath.Glob("late.html*"); len(list) > 0 {
		t.Errorf("%q is left of a net that wasn't read", list)
	}
	// On standard output the page is alone.
	stdout.Reset()
	stderr.Reset()
	code := run(context.Background(), []string{"pnmc", "view", net, "-o", "-", "--deadlock"}, nil, &stdout, &stderr)
	if code != exit.Holds || !bytes.HasPrefix(stdout.Bytes(), []byte("<!DOCTYPE html>")) || !strings.Contains(stderr.String(), "FORMULA deadlock TRUE") {
		t.Errorf("exit code %d, %.40q, %s", code, &stdout, &stderr)
	}
}

// TestViewInterrupted: who interrupts the search for a deadlock that nobody asked for is told
// that the page is there.
func TestViewInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancelCause(context.Background())
	stop := readerFunc(func([]byte) (int, error) {
		cancel(interrupt.ErrInterrupted)
		return 0, io.EOF
	})
	page := filepath.Join(t.TempDir(), "net.html")
	var stdout, stderr bytes.Buffer
	code := run(ctx, []string{"pnmc", "view", "-o", page, "-"}, io.MultiReader(strings.NewReader(read(t, "../../testdata/philosophers.pnml")), stop), &stdout, &stderr)
	if want := "pnmc: interrupted: " + page + " is written, but whether there is a deadlock is not known\n"; code != exit.Unknown || !strings.HasPrefix(stderr.String(), want) {
		t.Errorf("exit code %d, %s", code, &stderr)
	}
	if text := read(t, page); !strings.HasPrefix(text, "<!DOCTYPE html>") {
		t.Errorf("the page is %.20q", text)
	}
}

type readerFunc func([]byte) (int, error)

func (f readerFunc) Read(p []byte) (int, error) { return f(p) }

// TestPagesOfOtherNets: a page of a net in another format is written whatever the approach; one
// of a net that pages cannot play is bad input, and leaves no half of a file.
func TestPagesOfOtherNets(t *testing.T) {
	folder := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(folder, name)
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		return path
	}
	page := filepath.Join(folder, "run.html")
	ask := func(arguments ...string) (int, string) {
		var stdout, stderr bytes.Buffer
		return run(context.Background(), append([]string{"pnmc"}, arguments...), nil, &stdout, &stderr), stderr.String()
	}
	lola := write("net.lola", "PLACE p, q; MARKING p; TRANSITION t CONSUME p; PRODUCE q;")
	for _, approach := range []string{"tgba", "sym-tgta", "auto"} {
		if code, stderr := ask("--pnml", lola, "--ltl", "G q<1", "--approach", approach, "--trace", page); code != exit.Violated {
			t.Errorf("%s: exit code %d, %s", approach, code, stderr)
		}
		if _, err := os.Stat(page); err != nil {
			t.Error(err)
		}
	}
	_ = os.Remove(page) // or it is not there, which is told above
	resets := write("resets.pnml", `<pnml><net id="n" type="http://www.pnml.org/version-2009/grammar/ptnet"><page id="g">`+
		`<place id="p"><initialMarking><text>1</text></initialMarking></place><transition id="t"/>`+
		`<arc id="r" source="p" target="t" type="reset"/></page></net></pnml>`)
	for _, arguments := range [][]string{{"view", "-o", page, resets}, {"--pnml", resets, "--reachable", "p < 1", "--trace", page}} {
		if code, stderr := ask(arguments...); code != 0 {
			t.Errorf("%q: exit code %d, %s", arguments, code, stderr)
		}
		if text, err := os.ReadFile(page); err != nil || !strings.Contains(string(text), `"resets":{"0":[0]}`) {
			t.Errorf("%q: no reset arc on the page, %v", arguments, err)
		}
	}
}

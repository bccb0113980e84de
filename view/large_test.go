package view_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"
	"time"

	"pnmc/internal/browser"
	"pnmc/logic"
	"pnmc/petri"
	"pnmc/view"
)

// ring returns a net of n stations in a ring that tokens go around..
func ring(t testing.TB, n int) *petri.Net {
	t.Helper()
	b := &petri.Builder{ID: "ring", Name: "ring"}
	var places []petri.Place
	for i := range n {
		initial := int64(0)
		if i%50 == 0 {
			initial = 1
		}
		p, err := b.AddPlace(fmt.Sprintf("station%d", i), "", initial)
		if err != nil {
			t.Fatal(err)
		}
		places = append(places, p)
	}
	for i := range n {
		move, err := b.AddTransition(fmt.Sprintf("move%d", i), "")
		if err != nil {
			t.Fatal(err)
		}
		b.AddInput(places[i], move, 1)
		b.AddOutput(move, places[(i+1)%n], 1)
	}
	net, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	return net
}

// randomRun fires random transitions.
func randomRun(net *petri.Net, steps int) (run []view.Step) {
	random := rand.New(rand.NewPCG(1, 2))
	m := net.Initial()
	for len(run) < steps {
		t := petri.Transition(random.IntN(net.Transitions()))
		for !net.Fire(m, t) {
			t = (t + 1) % petri.Transition(net.Transitions())
		}
		run = append(run, view.Step{Transition: t, Times: 1})
	}
	return run
}

// mostMemory is what a page may take of the browser's memory, however long its runs are.
const mostMemory = 300e6

// TestLargePage: a run of 100,000 steps on a net of 10,000 nodes, and of 100,000, opens and
// steps in little memory. Times depend on the machine, and are told only. An empty browser takes more memory
// than such a page: what the page adds to all processes is measured, and the process that
// shows it.
func TestLargePage(t *testing.T) {
	if testing.Short() {
		t.Skip("a run of 100,000 steps takes some seconds")
	}
	for _, nodes := range []int{10_000, 100_000} {
		t.Run(fmt.Sprint(nodes), func(t *testing.T) { openLarge(t, ring(t, nodes/2)) })
	}
}

func openLarge(t *testing.T, net *petri.Net) {
	b := browser.Start(t)
	run := randomRun(net, 100_000)
	var text bytes.Buffer
	begun := time.Now()
	page := view.NewPage(&text, &view.Net{Title: "ring", Net: net})
	sum := logic.Sum{Constant: -3, Terms: []logic.Term{{Place: 1, Coefficient: 1}, {Place: 2, Coefficient: 1}}}
	atom := view.Atom{Text: "station1 + station2 <= 3", Predicate: &logic.Predicate{Operator: logic.AtMost, Sum: sum}}
	answer := &view.Answer{Name: "large", Kind: "ltl", Verdict: "violated", Atoms: []view.Atom{atom}, Formula: &view.Formula{Operator: "G", Operands: []*view.Formula{{}}}, Runs: []view.Run{{Prefix: run, From: -1}}}
	if err := page.Add(answer); err != nil {
		t.Fatal(err)
	}
	written := time.Since(begun)
	path := filepath.Join(t.TempDir(), "large.html")
	if err := os.WriteFile(path, text.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
	empty, _ := b.MemoryBytes()
	begun = time.Now()
	p := b.Open(t, path)
	p.Evaluate(`new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))`, nil)
	opened := time.Since(begun)
	begun = time.Now()
	p.Press("ArrowRight", "ArrowRight", "PageDown", "PageDown", "ArrowRight", "End", "ArrowLeft")
	p.Evaluate(`new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))`, nil)
	stepped := time.Since(begun)
	var position int
	p.Evaluate(`Number(document.getElementById("position").value)`, &position)
	if position != 99_999 {
		t.Errorf("the page is at step %d, expected 99,999", position)
	}
	// The marking there is that of firing.
	m := net.Initial()
	for _, s := range run[:position] {
		net.Fire(m, s.Transition)
	}
	var shown map[string]string
	p.Evaluate(`Object.fromEntries([...document.querySelectorAll("#net g.place")].map(g => [g.dataset.node.slice(1), g.dataset.tokens]))`, &shown)
	if len(shown) == 0 || len(shown) > 400 {
		t.Errorf("%d places are drawn, expected a part of them", len(shown))
	}
	for number, tokens := range shown {
		var place petri.Place
		fmt.Sscan(number, &place)
		if fmt.Sprint(m[place]) != tokens {
			t.Errorf("place %s shows %s tokens, expected %d", number, tokens, m[place])
		}
	}
	all, shows := b.MemoryBytes()
	heap := p.HeapBytes()
	t.Logf("%d kB, written in %v, opened in %v, 7 keys in %v", text.Len()/1000, written.Round(time.Millisecond), opened.Round(time.Millisecond), stepped.Round(time.Millisecond))
	t.Logf("MB: heap of the script %.0f, process of the page %.0f, browser %.0f, without a page %.0f", heap/1e6, shows/1e6, all/1e6, empty/1e6)
	if heap > mostMemory/2 || shows > mostMemory || all-empty > mostMemory {
		t.Errorf("the page's script takes %.0f MB, its process %.0f MB, and the browser %.0f MB more than without a page", heap/1e6, shows/1e6, (all-empty)/1e6)
	}
	for _, message := range p.Console() {
		t.Errorf("on the console: %s", message)
	}
}

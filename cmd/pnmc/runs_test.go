package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"pnmc/cmd/pnmc/internal/exit"
	"pnmc/cmd/pnmc/internal/told"
	"pnmc/internal/petritest"
	"pnmc/petri"
	"pnmc/pnml"
)

// told is an answer as --format json has it.
type toldAnswer struct {
	Name, Kind, Verdict, Reason string
	Value                       any
	Trace                       *told.Run
}

// askJSON runs the command, and returns the answers by name.
func askJSON(t *rapid.T, arguments []string) map[string]toldAnswer {
	var stdout, stderr bytes.Buffer
	code := run(context.Background(), append([]string{"pnmc", "--format", "json", "--max-memory", "1000MB"}, arguments...), nil, &stdout, &stderr)
	if code > exit.Violated {
		t.Fatalf("%q: exit code %d, %s%s", arguments, code, &stderr, &stdout)
	}
	found := make(map[string]toldAnswer)
	for line := range strings.Lines(stdout.String()) {
		var a toldAnswer
		if err := json.Unmarshal([]byte(line), &a); err != nil {
			t.Fatalf("%s: %v", line, err)
		}
		found[a.Name] = a
	}
	return found
}

// game plays a net by the definition of firing, on the net as its file has it.
type game struct {
	net     *petri.Net
	marking petri.Marking
}

func newGame(net *petri.Net) *game { return &game{net, net.Initial()} }

func (g *game) enabled(t petri.Transition) bool {
	return !slices.ContainsFunc(g.net.Pre(t), func(a petri.Arc) bool { return g.marking[a.Place] < a.Weight })
}

func (g *game) deadlock() bool {
	for t := range petri.Transition(g.net.Transitions()) {
		if g.enabled(t) {
			return false
		}
	}
	return true
}

// play fires the steps, and returns the markings behind each of them.
func (g *game) play(t *rapid.T, steps []told.Step) (markings []petri.Marking) {
	for i, s := range steps {
		if s.Deadlock {
			if !g.deadlock() {
				t.Fatalf("step %d of %v is no deadlock, but %v", i, steps, g.marking)
			}
			markings = append(markings, slices.Clone(g.marking))
			continue
		}
		transition, known := g.net.TransitionByID(s.Transition)
		if !known {
			t.Fatalf("no transition %q", s.Transition)
		}
		for range max(1, s.Times) {
			if !g.enabled(transition) {
				t.Fatalf("step %d, %s, of %v can't fire in %v", i, s.Transition, steps, g.marking)
			}
			for _, a := range g.net.Pre(transition) {
				g.marking[a.Place] -= a.Weight
			}
			for _, a := range g.net.Post(transition) {
				g.marking[a.Place] += a.Weight
			}
			markings = append(markings, slices.Clone(g.marking))
		}
	}
	return markings
}

// state is a state predicate as text, with its truth in each marking of a graph.
type state struct {
	text  string
	holds func(g *game) bool
}

func drawState(t *rapid.T, net *petri.Net) state {
	place := petri.Place(rapid.IntRange(0, net.Places()-1).Draw(t, "place"))
	id := net.PlaceLabel(place).ID
	switch rapid.IntRange(0, 3).Draw(t, "state") {
	case 0:
		n := rapid.Int64Range(1, 3).Draw(t, "count")
		return state{fmt.Sprintf("%s >= %d", id, n), func(g *game) bool { return g.marking[place] >= n }}
	case 1:
		n := rapid.Int64Range(0, 2).Draw(t, "count")
		return state{fmt.Sprintf("%s <= %d", id, n), func(g *game) bool { return g.marking[place] <= n }}
	case 2:
		return state{"deadlock", (*game).deadlock}
	default:
		if net.Transitions() == 0 {
			return state{"true", func(*game) bool { return true }}
		}
		u := petri.Transition(rapid.IntRange(0, net.Transitions()-1).Draw(t, "transition"))
		return state{fmt.Sprintf("fireable(%s)", net.TransitionLabel(u).ID), func(g *game) bool { return g.enabled(u) }}
	}
}

// in returns the truth of a predicate in each marking.
func (s state) in(net *petri.Net, graph *petritest.Graph) []bool {
	v := make([]bool, len(graph.Markings))
	for i, m := range graph.Markings {
		v[i] = s.holds(&game{net, m})
	}
	return v
}

// TestRunsShowVerdicts asks all kinds of questions about random nets. Verdicts are those
// of a naive twin, and each run, replayed by the definition of firing, shows its verdict.
func TestRunsShowVerdicts(t *testing.T) {
	folder := t.TempDir()
	shown := make(map[string]int)
	enough := func() bool { return len(shown) >= 9 }
	if !petritest.CheckUntil(t, enough, func(t *rapid.T) {
		net := rapid.OneOf(petritest.Net(), petritest.StateMachines(false)).Draw(t, "net")
		graph, finite := petritest.Explore(net, 300)
		if !finite || net.Places() == 0 {
			t.Skip("too large, unbounded or empty")
		}
		file := filepath.Join(folder, "net.pnml")
		var text bytes.Buffer
		if err := pnml.Write(&text, net); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, text.Bytes(), 0o600); err != nil {
			t.Fatal(err)
		}
		p, q := drawState(t, net), drawState(t, net)
		place := net.PlaceLabel(petri.Place(rapid.IntRange(0, net.Places()-1).Draw(t, "bound"))).ID
		answers := askJSON(t, []string{"--pnml", file, "--total-timeout", "60s",
			"--reachable", p.text, "--invariant", q.text, "--bound", place, "--deadlock", "--live", "--safe", "--quasi-live", "--stable",
			"--ltl", fmt.Sprintf("G %q", p.text), "--ltl", fmt.Sprintf("F %q", p.text), "--ltl", fmt.Sprintf("G F %q", q.text),
			"--ltl", fmt.Sprintf("%q U %q", p.text, q.text),
			"--ctl", fmt.Sprintf("AG EF (%s)", p.text), "--ctl", fmt.Sprintf("EG (%s)", p.text), "--ctl", fmt.Sprintf("E((%s) U (%s))", p.text, q.text),
			"--ctl", fmt.Sprintf("EX AF (%s)", q.text)})
		c := &confirming{t, net, graph, p, q, place, answers, shown}
		c.finite()
		c.linear()
		c.branching()
	}) {
		t.Errorf("runs shown: %v", shown)
	}
}

// confirming compares answers with a naive twin, and replays their runs.
type confirming struct {
	t       *rapid.T
	net     *petri.Net
	graph   *petritest.Graph
	p, q    state
	place   string
	answers map[string]toldAnswer
	shown   map[string]int // runs by question
}

// verdict compares the verdict of a question, and returns its run.
func (c *confirming) verdict(name string, holds bool) *told.Run {
	a, known := c.answers[name]
	if !known || a.Verdict != map[bool]string{true: "holds", false: "violated"}[holds] {
		c.t.Fatalf("%s is %s (%s), and should be %t", name, a.Verdict, a.Reason, holds)
	}
	return a.Trace
}

// reaches replays a finite run, which must be there if wanted is, and must end as at says.
func (c *confirming) reaches(what string, run *told.Run, wanted bool, at func(*game) bool) {
	if (run != nil) != wanted {
		c.t.Fatalf("%s: run %v, wanted %t", what, run, wanted)
	}
	if run == nil {
		return
	}
	g := newGame(c.net)
	g.play(c.t, run.Prefix)
	if len(run.Cycle) > 0 || !at(g) {
		c.t.Fatalf("%s: the run %v ends in %v, with a cycle %v", what, run.Prefix, g.marking, run.Cycle)
	}
	c.shown[what]++
}

func (c *confirming) finite() {
	p, q := c.p.in(c.net, c.graph), c.q.in(c.net, c.graph)
	reachable, invariant := slices.Contains(p, true), !slices.Contains(q, false)
	c.reaches("reachable", c.verdict("reachable "+c.p.text, reachable), reachable, c.p.holds)
	c.reaches("invariant", c.verdict("invariant "+c.q.text, invariant), !invariant, func(g *game) bool { return !c.q.holds(g) })
	place, _ := c.net.PlaceByID(c.place)
	bound, deadlock, safe := int64(0), false, true
	stable := make([]bool, c.net.Places())
	for i := range stable {
		stable[i] = true
	}
	fires := make([]bool, c.net.Transitions())
	for i, m := range c.graph.Markings {
		bound = max(bound, m[place])
		deadlock = deadlock || len(c.graph.Edges[i]) == 0
		for p, tokens := range m {
			safe = safe && tokens <= 1
			stable[p] = stable[p] && tokens == c.net.InitialTokens(petri.Place(p))
		}
		for _, e := range c.graph.Edges[i] {
			fires[e.Transition] = true
		}
	}
	a := c.answers["bound "+c.place]
	if a.Verdict != told.Value || fmt.Sprint(a.Value) != fmt.Sprint(bound) {
		c.t.Fatalf("bound of %s: %v, should be %d", c.place, a.Value, bound)
	}
	c.reaches("bound", a.Trace, a.Trace != nil, func(g *game) bool { return g.marking[place] == bound })
	c.reaches("deadlock", c.verdict("deadlock", deadlock), deadlock, (*game).deadlock)
	c.reaches("safe", c.verdict("safe", safe), !safe, func(g *game) bool { return slices.Max(g.marking) > 1 })
	c.reaches("stable", c.verdict("stable", slices.Contains(stable, true)), false, nil)
	c.reaches("quasi-live", c.verdict("quasi-live", !slices.Contains(fires, false)), false, nil)
	live := true
	for u := range petri.Transition(c.net.Transitions()) {
		live = live && !slices.Contains(c.graph.Finally(false, c.firesIn(u)), false)
	}
	run := c.verdict("live", live)
	if run == nil {
		return
	}
	c.reaches("live", run, !live, func(g *game) bool {
		dead, known := c.net.TransitionByID(run.Dead)
		i := slices.IndexFunc(c.graph.Markings, func(m petri.Marking) bool { return slices.Equal(m, g.marking) })
		return known && i >= 0 && !c.graph.Finally(false, c.firesIn(dead))[i] || run.Dead == "" && g.deadlock()
	})
}

// firesIn returns the markings that enable a transition.
func (c *confirming) firesIn(u petri.Transition) []bool {
	v := make([]bool, len(c.graph.Markings))
	for i, edges := range c.graph.Edges {
		v[i] = slices.ContainsFunc(edges, func(e petritest.Firing) bool { return e.Transition == u })
	}
	return v
}

// linear confirms formulas of linear time that CTL can express. In these a deadlock that
// ends the path means what one that repeats its marking does.
func (c *confirming) linear() {
	g, p, q := c.graph, c.p.in(c.net, c.graph), c.q.in(c.net, c.graph)
	for text, f := range map[string]struct {
		holds    bool
		violated func(word []*game, loop int) bool
	}{
		fmt.Sprintf("G %q", c.p.text): {!slices.Contains(p, false), func(w []*game, _ int) bool {
			return slices.ContainsFunc(w, func(g *game) bool { return !c.p.holds(g) })
		}},
		fmt.Sprintf("F %q", c.p.text): {g.Finally(true, p)[0], func(w []*game, _ int) bool {
			return !slices.ContainsFunc(w, c.p.holds)
		}},
		fmt.Sprintf("G F %q", c.q.text): {!slices.Contains(g.Finally(true, q), false), func(w []*game, loop int) bool {
			return !slices.ContainsFunc(w[loop:], c.q.holds)
		}},
		fmt.Sprintf("%q U %q", c.p.text, c.q.text): {g.Until(true, p, q)[0], func(w []*game, _ int) bool {
			for _, g := range w {
				if c.q.holds(g) {
					return false
				}
				if !c.p.holds(g) {
					return true
				}
			}
			return true
		}},
	} {
		run := c.verdict(text, f.holds)
		if (run != nil) == f.holds {
			c.t.Fatalf("%s: run %v", text, run)
		}
		if run == nil {
			continue
		}
		word, loop := c.word(run)
		if !f.violated(word, loop) {
			c.t.Fatalf("%s: the run %v does not violate it", text, run)
		}
		c.shown[strings.Trim(text[:2], `" `)+" linear"]++
	}
}

// word returns the states that a lasso goes through, and where its cycle begins; of a finite
// run, where the word ends.
func (c *confirming) word(run *told.Run) (word []*game, loop int) {
	g := newGame(c.net)
	markings := append([]petri.Marking{c.net.Initial()}, g.play(c.t, run.Prefix)...)
	loop = len(markings) - 1
	if len(run.Cycle) == 0 {
		loop = len(markings)
	}
	before := slices.Clone(g.marking)
	markings = append(markings, g.play(c.t, run.Cycle)...)
	if !slices.Equal(before, g.marking) {
		c.t.Fatalf("the cycle %v leads from %v to %v", run.Cycle, before, g.marking)
	}
	for _, m := range markings {
		word = append(word, &game{c.net, m})
	}
	return word, min(loop, len(word)-1)
}

// branching compares formulas of CTL with the twin, and fires their branches from where
// they begin.
func (c *confirming) branching() {
	g, p, q := c.graph, c.p.in(c.net, c.graph), c.q.in(c.net, c.graph)
	for text, holds := range map[string]bool{
		fmt.Sprintf("AG EF (%s)", c.p.text):               !slices.Contains(g.Finally(false, p), false),
		fmt.Sprintf("EG (%s)", c.p.text):                  g.Globally(false, p)[0],
		fmt.Sprintf("E((%s) U (%s))", c.p.text, c.q.text): g.Until(false, p, q)[0],
		fmt.Sprintf("EX AF (%s)", c.q.text):               g.Next(false, g.Finally(true, q))[0],
	} {
		run := c.verdict(text, holds)
		if run == nil {
			continue
		}
		var along [][]petri.Marking // by branch, those before and behind each firing
		for i, b := range run.Branches {
			start := c.net.Initial()
			if b.From != nil {
				if *b.From >= i || *b.At >= len(along[*b.From]) {
					c.t.Fatalf("%s: branch %d begins in branch %d after %d firings", text, i, *b.From, *b.At)
				}
				start = along[*b.From][*b.At]
			}
			g := &game{c.net, slices.Clone(start)}
			markings := append([]petri.Marking{start}, g.play(c.t, b.Prefix)...)
			along = append(along, append(markings, g.play(c.t, b.Cycle)...))
			c.shown["branching"]++
		}
	}
}

package play

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gdamore/tcell/v2"
	"pgregory.net/rapid"

	"pnmc/internal/account"
	"pnmc/internal/petritest"
	"pnmc/petri"
)

// ring returns a net whose token goes around two places, with hostile names.
func ring(t testing.TB) *petri.Net {
	t.Helper()
	b := &petri.Builder{ID: "ring"}
	p, _ := b.AddPlace("p", "first\x1b[31m\u202e", 1)
	q, _ := b.AddPlace("q", "", 0)
	for name, arc := range map[string][2]petri.Place{"there": {p, q}} {
		tr, _ := b.AddTransition(name, "")
		b.AddInput(arc[0], tr, 1)
		b.AddOutput(tr, arc[1], 1)
	}
	back, _ := b.AddTransition("back", "")
	b.AddInput(q, back, 1)
	b.AddOutput(back, p, 1)
	end, _ := b.AddTransition("end", strings.Repeat("long ", 3000))
	b.AddInput(q, end, 1)
	net, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	return net
}

// TestGameUndo: whatever is fired on a random net, undoing it gives each marking again.
func TestGameUndo(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		net := petritest.AnyNet().Draw(t, "net")
		g, err := NewGame(context.Background(), net, nil)
		if err != nil {
			t.Fatal(err)
		}
		markings := []petri.Marking{slices.Clone(g.marking)}
		for range rapid.IntRange(0, 40).Draw(t, "steps") {
			enabled, _ := g.Enabled(100, func(petri.Transition) bool { return true })
			for tr := range petri.Transition(net.Transitions()) {
				if net.Enabled(g.marking, tr) != slices.Contains(enabled, tr) {
					t.Fatalf("transition %d among the enabled %v", tr, enabled)
				}
			}
			if len(enabled) == 0 {
				break
			}
			before := slices.Clone(g.marking)
			if !g.Fire(rapid.SampledFrom(enabled).Draw(t, "fired")) {
				break // too many tokens
			}
			for p := range petri.Place(net.Places()) {
				if tokens, change := g.Tokens(p), g.Changes()[p]; tokens-change != before[p] {
					t.Fatalf("place %d has %d tokens, %+d, and had %d", p, tokens, change, before[p])
				}
			}
			markings = append(markings, slices.Clone(g.marking))
		}
		for i := len(markings) - 1; i >= 0; i-- {
			if !slices.Equal(g.marking, markings[i]) {
				t.Fatalf("after %d steps the marking is %v, was %v", i, g.marking, markings[i])
			}
			if g.Undo() != (i > 0) {
				t.Fatalf("undo after %d steps", i)
			}
		}
	})
}

// TestRuns: a run that does not fire is refused; steps by hand leave the run, and lead back.
func TestRuns(t *testing.T) {
	net := ring(t)
	there, _ := net.TransitionByID("there")
	back, _ := net.TransitionByID("back")
	for _, run := range []Run{{Prefix: []petri.Transition{back}}, {Prefix: []petri.Transition{Stay}}, {Prefix: []petri.Transition{there}, Cycle: []petri.Transition{there}}} {
		if _, err := NewGame(context.Background(), net, []Run{run}); err == nil {
			t.Errorf("%v is taken for a run", run)
		}
	}
	g, err := NewGame(context.Background(), net, []Run{{Name: "around", Cycle: []petri.Transition{there, back}}})
	if err != nil {
		t.Fatal(err)
	}
	for range 5 {
		g.Forward()
	}
	end, _ := net.TransitionByID("end")
	if !g.Fire(end) || g.follows != 5 {
		t.Errorf("after a step by hand %d of %d steps are of the run", g.follows, len(g.fired))
	}
	if _, ok := g.Next(); ok || g.Forward() || !g.Fire(Stay) {
		t.Error("a step of the run is fired after one by hand, or a deadlock does not stay")
	}
	g.ToRun()
	if len(g.fired) != 5 || g.marking[0] != 0 || g.marking[1] != 1 {
		t.Errorf("back to the run after %d steps: %v", len(g.fired), g.marking)
	}
}

// shown returns what a screen shows.
func shown(s tcell.SimulationScreen) string {
	cells, width, _ := s.GetContents()
	var text strings.Builder
	for i, c := range cells {
		if i%width == 0 && i > 0 {
			text.WriteString("\n")
		}
		if len(c.Runes) == 0 {
			text.WriteString(" ")
		}
		text.WriteString(string(c.Runes))
	}
	return text.String()
}

// TestPlay presses keys on a simulated screen, and reads what it shows.
func TestPlay(t *testing.T) {
	screen := tcell.NewSimulationScreen("UTF-8")
	if err := screen.Init(); err != nil {
		t.Fatal(err)
	}
	screen.SetSize(80, 12)
	net := ring(t)
	there, _ := net.TransitionByID("there")
	back, _ := net.TransitionByID("back")
	g, err := NewGame(context.Background(), net, []Run{{Name: "around", Prefix: []petri.Transition{there}, Cycle: []petri.Transition{back, there}}})
	if err != nil {
		t.Fatal(err)
	}
	table := &table{screen: screen, game: g, options: Options{Title: "The ring"}}
	table.look()
	press := func(keys string) {
		for _, r := range keys {
			special := map[rune]tcell.Key{'→': tcell.KeyRight, '←': tcell.KeyLeft, '↓': tcell.KeyDown, '⏎': tcell.KeyEnter, '⎋': tcell.KeyEscape, '⇱': tcell.KeyHome, '⇲': tcell.KeyEnd, '⇟': tcell.KeyPgDn}
			if key, ok := special[r]; ok {
				table.key(tcell.NewEventKey(key, 0, 0))
			} else {
				table.key(tcell.NewEventKey(tcell.KeyRune, r, 0))
			}
		}
		table.draw()
	}
	for _, step := range []struct{ keys, has, lacks string }{
		{"", "The ring", "\x1b"},
		{"", "Run 1 of 1, around: step 0 of 3", "\u202e"},
		{"", "▸ there", "back"},
		{"→", "step 1 of 3, in the cycle, round 1", "there ("},
		{"", "● q (+1)", "▸ there"},
		{"", "long long", "step 0"},
		{"→→→", "round 2", "deadlock"},
		{"←←", "step 2 of 3, in the cycle, round 1", "by hand"},
		{"c", "step 1 of 3", "by hand"},
		{"↓⏎", "Nothing is enabled: a deadlock.", "▸"},
		{"→", "You left the run", "▸"},
		{"b", "▸ back", "by hand"},
		{"⇲", "step 3 of 3", "by hand"},
		{"⇱a", "Places (2 of 2)", "Fired"},
		{"/q⏎", "Places (1 of 2)", "● q"},
		{"⎋a", "Places (1 of 2)", "find:"},
		{"?", "take the last step back", "Places"},
		{" ", "Places", "take the last step back"},
		{"u", "This is the initial marking.", "Fired"},
		{"⇟np", "step 0", "Fired"},
	} {
		press(step.keys)
		text := shown(screen)
		if !strings.Contains(text, step.has) || strings.Contains(text, step.lacks) {
			t.Errorf("after %q the screen lacks %q, or has %q:\n%s", step.keys, step.has, step.lacks, text)
		}
	}
	// A small screen, down to one cell, is drawn without harm.
	for _, size := range [][2]int{{20, 5}, {3, 2}, {1, 1}} {
		screen.SetSize(size[0], size[1])
		press("→?x/q⏎⎋")
	}
}

// TestPlayFinds: what is looked for is found, a place without tokens, and an enabled transition
// behind more of them than are listed.
func TestPlayFinds(t *testing.T) {
	screen := tcell.NewSimulationScreen("UTF-8")
	if err := screen.Init(); err != nil {
		t.Fatal(err)
	}
	b := &petri.Builder{ID: "many"}
	_, _ = b.AddPlace("marked", "", 1)
	_, _ = b.AddPlace("empty", "", 0)
	for i := range mostListed {
		_, _ = b.AddTransition(fmt.Sprint("t", i), "other")
	}
	_, _ = b.AddTransition("z", "last of all")
	net, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	g, err := NewGame(context.Background(), net, nil)
	if err != nil {
		t.Fatal(err)
	}
	table := &table{screen: screen, game: g}
	table.look()
	for find, want := range map[string]string{"empty": "Places (1 of 2)", "marked": "Places (1 of 2)", "last": "Enabled (1)", "nothing": "Nothing that is enabled is called so."} {
		table.find = find
		table.look()
		table.draw()
		if text := shown(screen); !strings.Contains(text, want) {
			t.Errorf("looking for %q the screen lacks %q:\n%s", find, want, text)
		}
	}
}

// TestPlayPlain: without colours what changed is told by bold text, and nothing has a colour.
func TestPlayPlain(t *testing.T) {
	for _, plain := range []bool{true, false} {
		screen := tcell.NewSimulationScreen("UTF-8")
		if err := screen.Init(); err != nil {
			t.Fatal(err)
		}
		g, _ := NewGame(context.Background(), ring(t), nil)
		table := &table{screen: screen, game: g, options: Options{Plain: plain}}
		table.look()
		table.key(tcell.NewEventKey(tcell.KeyEnter, 0, 0))
		table.draw()
		coloured := 0
		cells, _, _ := screen.GetContents()
		for _, c := range cells {
			if foreground, _, _ := c.Style.Decompose(); foreground != tcell.ColorDefault {
				coloured++
			}
		}
		if (coloured > 0) == plain {
			t.Errorf("plain: %v, %d cells have a colour", plain, coloured)
		}
	}
}

// TestPlayEnds: q ends the game, and so does the context.
func TestPlayEnds(t *testing.T) {
	g, _ := NewGame(context.Background(), ring(t), nil)
	screen := tcell.NewSimulationScreen("UTF-8")
	if err := screen.Init(); err != nil {
		t.Fatal(err)
	}
	screen.InjectKey(tcell.KeyRune, 'q', 0)
	if err := Play(context.Background(), screen, g, Options{}); err != nil {
		t.Error(err)
	}
	why := errors.New("why")
	ctx, cancel := context.WithCancelCause(context.Background())
	time.AfterFunc(20*time.Millisecond, func() { cancel(why) })
	if err := Play(ctx, screen, g, Options{}); !errors.Is(err, why) {
		t.Errorf("ended by %v", err)
	}
}

// TestNewGameEnds: runs are fired as long as the context goes on.
func TestNewGameEnds(t *testing.T) {
	net := ring(t)
	there, _ := net.TransitionByID("there")
	back, _ := net.TransitionByID("back")
	run := Run{}
	for range 100_000 {
		run.Prefix = append(run.Prefix, there, back)
	}
	if _, err := NewGame(account.EndsAfter(3), net, []Run{run, run}); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("after three looks: %v", err)
	}
}

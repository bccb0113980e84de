package play

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"unicode"

	"github.com/gdamore/tcell/v2"
	"github.com/rivo/uniseg"

	"pnmc/petri"
)

// mostListed bounds the enabled transitions that are listed: nobody looks through more.
const mostListed = 2000

// Options say how a game is shown.
type Options struct {
	Title string
	// Plain shows no colours, only bold, underlined and reversed text.
	Plain bool
}

// table draws the game and keeps what the player chose.
type table struct {
	screen  tcell.Screen
	game    *Game
	options Options
	enabled []petri.Transition
	more    bool
	chosen  int // of enabled
	first   int // the transition on top
	places  []petri.Place
	changes map[petri.Place]int64 // by the last step
	scroll  int
	all     bool // places without tokens too
	find    string
	finding bool
	help    bool
	says    string
}

// Play shows a game and plays it until the player ends it, or the context ends. The error
// is that of the context. The screen is initialized by the caller, who also ends it.
func Play(ctx context.Context, screen tcell.Screen, game *Game, o Options) error {
	t := &table{screen: screen, game: game, options: o}
	t.look()
	defer context.AfterFunc(ctx, func() { _ = screen.PostEvent(tcell.NewEventInterrupt(nil)) })()
	for {
		t.draw()
		switch event := screen.PollEvent().(type) {
		case nil: // the screen was ended
			return ctx.Err()
		case *tcell.EventResize:
			screen.Sync()
		case *tcell.EventKey:
			if !t.key(event) {
				return nil
			}
		}
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
	}
}

// look finds out what is enabled, and which places are shown.
//
// The choice is put where the player most likely wants to go on. That is the next transition of
// the run, if the game follows one. Otherwise it is the transition that was chosen before, if
// that is still enabled, or else the first one. So Enter again and again plays a run, or fires
// one transition repeatedly.
func (t *table) look() {
	before, _ := t.choice()
	t.enabled, t.more = t.game.Enabled(mostListed, func(e petri.Transition) bool { return t.find == "" || t.matches(t.game.Net.TransitionLabel(e)) })
	t.chosen = 0
	next, follows := t.game.Next()
	for i, e := range t.enabled {
		if follows && e == next || !follows && e == before {
			t.chosen = i
		}
	}
	t.places, t.changes = t.places[:0], t.game.Changes()
	for p := range petri.Place(t.game.Net.Places()) {
		wanted := t.all || t.game.Tokens(p) > 0 || t.changes[p] != 0
		if t.find != "" { // a place that is looked for may be empty
			wanted = t.matches(t.game.Net.PlaceLabel(p))
		}
		if wanted {
			t.places = append(t.places, p)
		}
	}
	t.scroll = max(0, min(t.scroll, len(t.places)-1))
}

// matches reports whether a node is one that is looked for.
func (t *table) matches(l petri.Label) bool {
	find := strings.ToLower(t.find)
	return strings.Contains(strings.ToLower(l.ID), find) || strings.Contains(strings.ToLower(l.Name), find)
}

// choice returns the transition that Enter fires.
func (t *table) choice() (petri.Transition, bool) {
	if t.chosen < len(t.enabled) {
		return t.enabled[t.chosen], true
	}
	return 0, false
}

// key acts on a key. It reports whether the game goes on.
func (t *table) key(e *tcell.EventKey) bool {
	t.says = ""
	if e.Key() == tcell.KeyCtrlC {
		return false
	}
	if t.help {
		t.help = false
		return true
	}
	if t.finding {
		t.findKey(e)
		return true
	}
	switch e.Key() {
	case tcell.KeyEscape:
		if t.find == "" {
			return false
		}
		t.find = ""
	case tcell.KeyUp:
		t.choose(-1)
		return true
	case tcell.KeyDown:
		t.choose(1)
		return true
	case tcell.KeyEnter:
		t.fire()
	case tcell.KeyRight:
		t.forward()
	case tcell.KeyLeft, tcell.KeyBackspace, tcell.KeyBackspace2:
		t.undo()
	case tcell.KeyHome:
		t.game.Restart()
	case tcell.KeyEnd:
		t.game.End()
	case tcell.KeyPgDn:
		t.scroll += t.room()
	case tcell.KeyPgUp:
		t.scroll -= t.room()
	case tcell.KeyRune:
		return t.letter(e.Rune())
	}
	t.look()
	return true
}

// letter acts on a letter, and reports whether the game goes on.
func (t *table) letter(r rune) bool {
	switch r {
	case 'q':
		return false
	case 'k':
		t.choose(-1)
		return true
	case 'j':
		t.choose(1)
		return true
	case ' ':
		t.fire()
	case 'l':
		t.forward()
	case 'h', 'u':
		t.undo()
	case 'b':
		t.game.ToRun()
	case 'c':
		if !t.game.ToCycle() {
			t.says = "The run has no cycle."
		}
	case 'n':
		t.game.Choose(1)
	case 'p':
		t.game.Choose(-1)
	case 'r':
		if n := len(t.enabled); n > 0 {
			t.game.Fire(t.enabled[rand.IntN(n)])
		}
	case 'a':
		t.all = !t.all
	case '/':
		t.finding, t.find = true, ""
	case '?':
		t.help = true
	}
	t.look()
	return true
}

// findKey takes a key of the text that is looked for.
func (t *table) findKey(e *tcell.EventKey) {
	switch e.Key() {
	case tcell.KeyEnter:
		t.finding = false
	case tcell.KeyEscape:
		t.finding, t.find = false, ""
	case tcell.KeyBackspace, tcell.KeyBackspace2:
		if runes := []rune(t.find); len(runes) > 0 {
			t.find = string(runes[:len(runes)-1])
		}
	case tcell.KeyRune:
		t.find += string(e.Rune())
	}
	t.look()
}

// choose moves the choice by so many transitions, as far as there are any.
func (t *table) choose(step int) {
	t.chosen = max(0, min(t.chosen+step, len(t.enabled)-1))
}

// fire fires what is chosen, or says why it does not fire.
func (t *table) fire() {
	if choice, ok := t.choice(); ok && !t.game.Fire(choice) {
		t.says = "It does not fire: a place would have more than 2^63-1 tokens."
	}
}

// forward fires the next step of the run, or says why there is none.
func (t *table) forward() {
	switch _, ok := t.game.Next(); {
	case ok:
		t.game.Forward()
	case len(t.game.Runs) == 0:
		t.says = "There is no run to follow: Enter fires what is chosen."
	case t.game.follows < len(t.game.fired):
		t.says = "You left the run: b goes back to it."
	default:
		t.says = "The run ends here."
	}
}

// undo takes the last firing back, or says that there is none.
func (t *table) undo() {
	if !t.game.Undo() {
		t.says = "This is the initial marking."
	}
}

// clean returns text that a terminal shows as it is: no control characters, nothing that turns
// the direction of text.
func clean(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r) || r == '\u2028' || r == '\u2029' {
			return unicode.ReplacementChar
		}
		return r
	}, text)
}

// print writes text into a line, cut at the width, and returns the column behind it.
//
// A terminal has columns, and a letter may take two, as a Chinese one does, or be made of several
// runes, as one with an accent. So text is cut between letters as they are seen, never by bytes.
// Characters that take no column are left out.
func (t *table) print(x, y, width int, style tcell.Style, text string) int {
	end, state := x+width, -1
	if len(text) > 8*width+64 { // no name needs to be looked at to its end
		text = text[:8*width+64]
	}
	for text = clean(text); text != ""; {
		var cluster string
		var w int
		cluster, text, w, state = uniseg.FirstGraphemeClusterInString(text, state)
		if w == 0 {
			continue
		}
		if x+w > end || x+w == end && text != "" {
			if x < end {
				t.screen.SetContent(x, y, '…', nil, style)
				x++
			}
			return x
		}
		runes := []rune(cluster)
		t.screen.SetContent(x, y, runes[0], runes[1:], style)
		x += w
	}
	return x
}

// count returns a number with its noun.
func count(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}

package play

import (
	"fmt"

	"github.com/gdamore/tcell/v2"
)

// styles are the looks of what is shown. Each is told by more than its colour.
type styles struct{ plain, head, faint, chosen, changed, next, alarm tcell.Style }

// styles returns the looks of texts. They differ without colours too: bold, dim, reversed or
// underlined.
func (t *table) styles() styles {
	plain := tcell.StyleDefault
	s := styles{plain, plain.Bold(true), plain.Dim(true), plain.Reverse(true), plain.Bold(true), plain.Underline(true), plain.Bold(true)}
	if !t.options.Plain {
		s.changed = s.changed.Foreground(tcell.ColorOlive)
		s.next = s.next.Foreground(tcell.ColorTeal)
		s.alarm = s.alarm.Foreground(tcell.ColorMaroon)
	}
	return s
}

// linesAbove and linesBelow count the lines above and below the two lists.
const linesAbove, linesBelow = 3, 3

// room returns how many lines the lists have.
func (t *table) room() int {
	_, height := t.screen.Size()
	return max(1, height-linesAbove-linesBelow)
}

// draw shows all: what happened, places on the left, what is enabled on the right.
func (t *table) draw() {
	s := t.styles()
	t.screen.Clear()
	t.screen.HideCursor()
	width, height := t.screen.Size()
	if t.help {
		t.drawHelp(width, s)
		t.screen.Show()
		return
	}
	t.print(0, 0, width, s.head, t.options.Title)
	t.print(0, 1, width, s.plain, t.where())
	half := width / 2
	t.print(0, 2, half-1, s.head, fmt.Sprintf("Places (%d of %d)", len(t.places), t.game.Net.Places()))
	more := ""
	if t.more {
		more = " and more"
	}
	t.print(half, 2, width-half, s.head, fmt.Sprintf("Enabled (%d%s)", len(t.enabled), more))
	t.drawPlaces(half, s)
	t.drawEnabled(half, width, s)
	if height > linesBelow {
		t.drawLast(width, height-linesBelow, s)
		line := t.says
		if t.finding || t.find != "" {
			line = "find: " + t.find
			if t.finding {
				line += "▏"
			}
		}
		t.print(0, height-2, width, s.changed, line)
		t.print(0, height-1, width, s.faint, "↑↓ choose  Enter fire  u undo  → ← run  / find  a all places  ? keys  q quit")
	}
	t.screen.Show()
}

// where says at which step the game is.
//
// For example: Run 1 of 2, G p <= 2: step 7 of 5, in the cycle, round 2; 1 by hand.
func (t *table) where() string {
	g := t.game
	if len(g.Runs) == 0 {
		return count(len(g.fired), "transition fired", "transitions fired")
	}
	r := &g.Runs[g.run]
	text := fmt.Sprintf("Run %d of %d, %s: step %d of %d", g.run+1, len(g.Runs), r.Name, g.follows, len(r.Prefix)+len(r.Cycle))
	if n := len(r.Prefix); len(r.Cycle) > 0 && g.follows >= n {
		text += fmt.Sprintf(", in the cycle, round %d", (g.follows-n)/len(r.Cycle)+1)
	}
	if by := len(g.fired) - g.follows; by > 0 {
		text += fmt.Sprintf("; %d by hand", by)
	}
	return text
}

// drawPlaces draws the places that fit on the screen. Up to five tokens are dots, more a number.
// Behind the name is what the last firing has changed.
func (t *table) drawPlaces(width int, s styles) {
	t.scroll = max(0, min(t.scroll, len(t.places)-t.room()))
	for i := 0; i < t.room() && t.scroll+i < len(t.places); i++ {
		p := t.places[t.scroll+i]
		tokens, change := t.game.Tokens(p), t.changes[p]
		style, text := s.plain, ""
		if change != 0 {
			style, text = s.changed, fmt.Sprintf(" (%+d)", change)
		}
		number := fmt.Sprintf("%8d", tokens)
		if tokens > 0 && tokens <= 5 {
			number = fmt.Sprintf("%8s", "●●●●●"[:3*tokens])
		}
		x := t.print(0, linesAbove+i, width-1, style, number+" ")
		x = t.print(x, linesAbove+i, width-1-x-len(text), style, labelText(t.game.Net.PlaceLabel(p)))
		t.print(x, linesAbove+i, width-1-x, style, text)
	}
}

// drawEnabled draws the list of enabled transitions, scrolled so that the chosen one is seen. The
// one with which the run goes on has a mark.
func (t *table) drawEnabled(left, width int, s styles) {
	room := t.room()
	if t.chosen < t.first {
		t.first = t.chosen
	}
	if t.chosen >= t.first+room {
		t.first = t.chosen - room + 1
	}
	t.first = max(0, min(t.first, len(t.enabled)-1))
	next, follows := t.game.Next()
	for i := 0; i < room && t.first+i < len(t.enabled); i++ {
		e := t.enabled[t.first+i]
		style, mark := s.plain, "  "
		if follows && e == next {
			style, mark = s.next, "▸ "
		}
		if t.first+i == t.chosen {
			style = s.chosen
		}
		t.print(left, linesAbove+i, width-left, style, mark+labelText(t.game.Net.TransitionLabel(e)))
	}
	if len(t.enabled) == 0 {
		text := "Nothing is enabled: a deadlock."
		if t.find != "" {
			text = "Nothing that is enabled is called so."
		}
		t.print(left, linesAbove, width-left, s.alarm, text)
	}
}

// drawLast draws the step that was made last.
func (t *table) drawLast(width, y int, s styles) {
	last, ok := t.game.Last()
	switch {
	case !ok:
		t.print(0, y, width, s.faint, "The initial marking.")
	case last == Stay:
		t.print(0, y, width, s.alarm, "Deadlock: nothing fires, and the marking stays.")
	default:
		x := t.print(0, y, width, s.plain, "Fired: ")
		t.print(x, y, width-x, s.head, labelText(t.game.Net.TransitionLabel(last)))
	}
}

// keys are what keys do, for the help.
var keys = [][2]string{
	{"↑ ↓  k j", "choose an enabled transition"},
	{"Enter, space", "fire it"},
	{"u, ←, h", "take the last step back"},
	{"→, l", "fire the next step of the run"},
	{"Home, End", "to the start, to the end of the run"},
	{"c", "to the start of its cycle"},
	{"b", "back to the run, if you left it"},
	{"n p", "the next run, the one before"},
	{"r", "fire something at random"},
	{"a", "show places without tokens too, or not"},
	{"Page Down, Page Up", "scroll the places"},
	{"/", "find places and transitions; Esc ends that"},
	{"q, Esc, Ctrl-C", "quit"},
}

// drawHelp draws the list of keys in place of the table.
func (t *table) drawHelp(width int, s styles) {
	t.print(0, 0, width, s.head, "Keys (any key goes back)")
	for i, k := range keys {
		t.print(2, i+2, 20, s.head, k[0])
		t.print(23, i+2, width-23, s.plain, k[1])
	}
}

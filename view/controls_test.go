package view_test

import (
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"pnmc/internal/browser"
	"pnmc/petri"
	"pnmc/view"
)

// TestMouseOnly: the buttons, the drawing of the run, and its places and steps lead through
// the run; Play goes on by itself, around the cycle.
func TestMouseOnly(t *testing.T) {
	b := browser.Start(t)
	page := b.Open(t, writePage(t, choice(t), goLeft()))
	position := func() (n int) {
		page.Evaluate(`Number(document.getElementById("position").value)`, &n)
		return n
	}
	for _, c := range []struct {
		selector string
		want     int
	}{{"#forward", 1}, {"#back", 0}, {"#last", 1}, {"#first", 0}, {"#forward", 1}, {"#to-cycle", 0}, {"#steps .step-row:nth-child(1)", 1}} {
		page.Click(c.selector)
		if got := position(); got != c.want {
			t.Errorf("a click on %s leads to step %d, expected %d", c.selector, got, c.want)
		}
	}
	page.Click("#first")
	page.Click("#lasso .dot, #lasso .way.ring")
	page.Evaluate(`document.getElementById("speed").value = 40; document.getElementById("speed").dispatchEvent(new Event("change"))`, nil)
	page.Click("#play")
	// It goes around the cycle more than once, however slow the machine is.
	for begun := time.Now(); ; time.Sleep(20 * time.Millisecond) {
		var said string
		if page.Evaluate(`document.querySelector("#now .where").textContent`, &said); strings.Contains(said, "round 3") {
			break
		}
		if time.Since(begun) > time.Minute {
			t.Fatalf("Play came to %q in a minute", said)
		}
	}
	page.Click("#play")
	var paused string
	if page.Evaluate(`document.getElementById("play").textContent`, &paused); paused != "Play" {
		t.Errorf("a second click leaves %q", paused)
	}
	for _, message := range page.Console() {
		t.Errorf("on the console: %s", message)
	}
}

// TestJumpToCycle: the button and the key lead to where the cycle begins, and where it begins
// again the step before is its last.
func TestJumpToCycle(t *testing.T) {
	b := browser.Start(t)
	answer := goLeft()
	answer.Runs[0].Prefix = []view.Step{{Transition: 0, Times: 1}, {Transition: 1, Times: 1}}
	page := b.Open(t, writePage(t, choice(t), answer))
	is := func(what string, position int, marked string) {
		t.Helper()
		var shown struct {
			Position int
			Marked   string
		}
		page.Evaluate(`({Position: Number(document.getElementById("position").value), Marked: document.querySelector("#steps .step-row.now .number")?.textContent || ""})`, &shown)
		if shown.Position != position || shown.Marked != marked {
			t.Errorf("%s: the page is at %+v, expected %d and %q", what, shown, position, marked)
		}
	}
	is("at first", 0, "")
	page.Click("#to-cycle")
	is("by the button", 2, "2")
	page.Press("Home", "c")
	is("by the key", 2, "2")
	page.Press("ArrowRight", "ArrowRight")
	is("once around", 2, "4")
	page.Press("ArrowLeft")
	is("back", 3, "3")
}

// TestDocumentPositions: nodes stand as the document has them, but for one scale, arcs go by
// its bends, and the button lays them out anew and back again.
func TestDocumentPositions(t *testing.T) {
	b := browser.Start(t)
	net := choice(t)
	ids := []string{"start", "left", "right", "to-left", "from-left", "to-right", "from-right"}
	net.Drawing = &petri.Drawing{Nodes: map[string]petri.Point{}, Bends: map[[2]string][]petri.Point{{"from-right", "start"}: {{X: 333, Y: -40}}}}
	for i, id := range ids {
		net.Drawing.Nodes[id] = petri.Point{X: float64(100 * (i % 3)), Y: float64(70 * i)}
	}
	page := b.Open(t, writePage(t, net))
	shown := func() map[string][]float64 {
		var at map[string][]float64
		page.Evaluate(`Object.fromEntries([...document.querySelectorAll("#net g.place, #net g.transition")].map(g =>
			[g.querySelector("title").textContent.split("\n")[0], g.getAttribute("transform").match(/-?[\d.]+/g).map(Number)]))`, &at)
		return at
	}
	asDocument := func(at map[string][]float64) bool {
		origin, last := at[ids[0]], at[ids[6]]
		scale := (last[1] - origin[1]) / 420
		for i, id := range ids {
			x, y := origin[0]+scale*float64(100*(i%3)), origin[1]+scale*float64(70*i)
			if scale <= 0 || math.Hypot(at[id][0]-x, at[id][1]-y) > 1 {
				return false
			}
		}
		return true
	}
	first := shown()
	if len(first) != 7 || !asDocument(first) {
		t.Errorf("nodes stand at %v", first)
	}
	scale := (first[ids[6]][1] - first[ids[0]][1]) / 420
	var ways string
	page.Evaluate(`[...document.querySelectorAll("#net .arcs path")].map(p => p.getAttribute("d")).join()`, &ways)
	if bend := fmt.Sprintf("Q%.1f,%.1f", 333*scale, -40*scale); !strings.Contains(ways, bend) {
		t.Errorf("no arc goes by its bend %s: %s", bend, ways)
	}
	page.Click("#arrange")
	if asDocument(shown()) {
		t.Error("the button does not lay the net out anew")
	}
	page.Click("#arrange")
	if !asDocument(shown()) {
		t.Error("a second click does not bring the document's positions back")
	}
}

// mixed is what the colour-blind see of a colour, by the matrices of G. Machado, M. Oliveira,
// L. Fernandes, A physiologically-based model for simulation of color vision deficiency, IEEE
// Transactions on Visualization and Computer Graphics 15 (2009), for severity 1, and
// luminance alone for those who see no colours.
var mixed = map[string][9]float64{
	"protanopia":    {0.152286, 1.052583, -0.204868, 0.114503, 0.786281, 0.099216, -0.003882, -0.048116, 1.051998},
	"deuteranopia":  {0.367322, 0.860646, -0.227968, 0.280085, 0.672501, 0.047413, -0.011820, 0.042940, 0.968881},
	"tritanopia":    {1.255528, -0.076749, -0.178779, -0.078411, 0.930809, 0.147602, 0.004733, 0.691367, 0.303900},
	"achromatopsia": {0.2126, 0.7152, 0.0722, 0.2126, 0.7152, 0.0722, 0.2126, 0.7152, 0.0722},
}

// TestColourBlind: what is enabled, fired last and fires next differs by a shape, a width or a
// pattern, too; what holds and what does not by a sign. Where colours are seen at all, those of
// enabled and fired transitions, and of a strip's parts, stay apart.
func TestColourBlind(t *testing.T) {
	b := browser.Start(t)
	page := b.Open(t, writePage(t, choice(t), goLeft()))
	page.Press("ArrowRight")
	var marks map[string]string
	page.Evaluate(`(() => { const style = (g, part) => getComputedStyle(g.querySelector(part)), marks = {};
		for (const g of document.querySelectorAll("#net g.transition")) {
			const name = g.querySelector("title").textContent.split("\n")[0];
			marks[name] = [g.classList.contains("enabled") ? "enabled" : "", g.classList.contains("fired") ? "fired" : "", g.classList.contains("next") ? "next" : ""].join("") + ":" +
				[style(g, ".flag").fill === "none" ? "" : "flag", style(g, ".label").fontWeight >= 700 ? "bold" : "", style(g, ".halo").strokeDasharray === "none" ? "" : "dashed"].join("");
		}
		return marks; })()`, &marks)
	for name, want := range map[string]string{"to-left": "fired:bold", "from-left": "enablednext:flagdashed", "to-right": ":", "from-right": ":"} {
		if marks[name] != want {
			t.Errorf("%s is marked %q, expected %q", name, marks[name], want)
		}
	}
	var signs []string
	page.Evaluate(`[...new Set([...document.querySelectorAll("#formula .truth")].map(e => e.className.replace("truth ", "") + e.textContent[0]))].sort()`, &signs)
	if got := strings.Join(signs, " "); got != "no✗ yes✓" {
		t.Errorf("truth is told by %q", got)
	}
	for _, theme := range []string{"light", "dark"} {
		page.Prefer("prefers-color-scheme", theme)
		var colours map[string][3]float64 // linear
		page.Evaluate(`(() => { const style = getComputedStyle(document.documentElement), canvas = document.createElement("canvas").getContext("2d", {willReadFrequently: true});
			return Object.fromEntries(["enabled", "fired", "yes", "no", "next", "mark", "soft"].map(name => { canvas.fillStyle = style.getPropertyValue("--" + name); canvas.fillRect(0, 0, 1, 1);
				return [name, [...canvas.getImageData(0, 0, 1, 1).data].slice(0, 3).map(v => (v /= 255) <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4)]; })); })()`, &colours)
		for _, pair := range [][2]string{{"enabled", "fired"}, {"fired", "next"}, {"yes", "no"}, {"yes", "soft"}, {"no", "soft"}} {
			for kind, matrix := range mixed {
				if kind == "achromatopsia" && pair[1] != "soft" { // told apart by the marks above
					continue
				}
				if d := apart(seen(matrix, colours[pair[0]]), seen(matrix, colours[pair[1]])); d < 12 {
					t.Errorf("%s, %s: %s and %s are %.0f apart", theme, kind, pair[0], pair[1], d)
				}
			}
		}
	}
}

func seen(m [9]float64, c [3]float64) (s [3]float64) {
	for i := range s {
		s[i] = min(1, max(0, m[3*i]*c[0]+m[3*i+1]*c[1]+m[3*i+2]*c[2]))
	}
	return s
}

// apart returns the distance of two linear colours in CIELAB: 2 is just noticed.
func apart(a, b [3]float64) float64 {
	lab := func(c [3]float64) [3]float64 {
		x := (0.4124*c[0] + 0.3576*c[1] + 0.1805*c[2]) / 0.9505
		y := 0.2126*c[0] + 0.7152*c[1] + 0.0722*c[2]
		z := (0.0193*c[0] + 0.1192*c[1] + 0.9505*c[2]) / 1.089
		f := func(v float64) float64 {
			if v > 0.008856 {
				return math.Cbrt(v)
			}
			return 7.787*v + 16.0/116
		}
		return [3]float64{116*f(y) - 16, 500 * (f(x) - f(y)), 200 * (f(y) - f(z))}
	}
	p, q := lab(a), lab(b)
	return math.Hypot(math.Hypot(p[0]-q[0], p[1]-q[1]), p[2]-q[2])
}

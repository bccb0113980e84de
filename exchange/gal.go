package exchange

import (
	"bufio"
	"fmt"
	"io"
	"math"
	"regexp"
	"slices"

	"pnmc/internal/lazy"
	"pnmc/internal/oneline"
	"pnmc/petri"
)

// WriteGAL writes net in the guarded action language of ITS-Tools: a variable for each place, and a
// transition with a guard and assignments for each transition, inhibitor and reset arcs and
// capacities included. A node whose identifier is no word of C is called p or t with its number,
// and its identifier is a comment. The error is that of w, or names a node whose tokens or
// weights need more than the 31 bits of GAL's integers. (Y. Thierry-Mieg, "Symbolic
// Model-Checking Using ITS-Tools", 2015.)
func WriteGAL(w io.Writer, net *petri.Net) error {
	if err := writableInGAL(net); err != nil {
		return err
	}
	g := &galWriter{Writer: bufio.NewWriter(w), net: net}
	g.name()
	fmt.Fprintf(g, "gal %s {\n", g.netName())
	for p := range petri.Place(net.Places()) {
		fmt.Fprintf(g, "  int %s = %d;%s\n", g.places[p], net.InitialTokens(p), galComment(g.places[p], net.PlaceLabel(p).ID))
	}
	for t := range petri.Transition(net.Transitions()) {
		g.transition(t)
	}
	g.WriteString("}\n")
	return g.Flush()
}

// galWriter writes a net whose nodes have these names in the language.
type galWriter struct {
	*bufio.Writer
	net                 *petri.Net
	places, transitions []string
}

var galWord = lazy.Value[*regexp.Regexp]{Make: func() *regexp.Regexp {
	return regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*$`)
}}

// galKeywords are words that the language has.
var galKeywords = []string{"gal", "int", "array", "transition", "label", "true", "false", "if", "else", "for", "abort", "fixpoint",
	"typedef", "import", "interface", "composite", "synchronization", "main", "property", "predicate", "hotbit", "extends",
	"TRANSIENT", "self", "reachable", "invariant", "never", "ctl", "ltl", "bounds", "A", "E", "AF", "AG", "AX", "EF", "EG", "EX",
	"F", "G", "X", "U", "M", "R", "W"}

// name gives all nodes names that the language has, each once.
//
// For example, places a, b-1 and F become a, p1 and p2: the second one is no word, the third one
// a keyword of the language. If a node is called p1 already, the second one becomes p1_. All
// identifiers are taken before any name is made, so that no name is that of a node that comes
// later.
func (g *galWriter) name() {
	taken := make(map[string]bool)
	usable := func(id string) bool { return galWord.Get().MatchString(id) && !slices.Contains(galKeywords, id) }
	for p := range petri.Place(g.net.Places()) {
		taken[g.net.PlaceLabel(p).ID] = true
	}
	for t := range petri.Transition(g.net.Transitions()) {
		taken[g.net.TransitionLabel(t).ID] = true
	}
	called := func(prefix string, number int, id string) string {
		if usable(id) {
			return id
		}
		name := fmt.Sprint(prefix, number)
		for taken[name] {
			name += "_"
		}
		taken[name] = true
		return name
	}
	for p := range g.net.Places() {
		g.places = append(g.places, called("p", p, g.net.PlaceLabel(petri.Place(p)).ID))
	}
	for t := range g.net.Transitions() {
		g.transitions = append(g.transitions, called("t", t, g.net.TransitionLabel(petri.Transition(t)).ID))
	}
}

// netName returns the identifier of the net if the language has such a name, and "net" otherwise.
func (g *galWriter) netName() string {
	if galWord.Get().MatchString(g.net.ID) && !slices.Contains(galKeywords, g.net.ID) {
		return g.net.ID
	}
	return "net"
}

// galComment has the identifier of a node that is called otherwise.
func galComment(name, id string) string {
	if name == id {
		return ""
	}
	return " // " + oneline.Of(id)
}

// transition writes a transition with its guard and its assignments, which GAL does one after the
// other. So a place that is reset becomes 0 first, and then what the transition puts there. All
// other places change by the effect, which is their output less their input.
func (g *galWriter) transition(t petri.Transition) {
	name := g.transitions[t]
	fmt.Fprintf(g, "  transition %s [", name)
	between := ""
	for _, a := range g.net.Pre(t) {
		fmt.Fprintf(g, "%s%s >= %d", between, g.places[a.Place], a.Weight)
		between = " && "
	}
	for _, a := range g.net.Ceilings(t) {
		fmt.Fprintf(g, "%s%s < %d", between, g.places[a.Place], a.Weight)
		between = " && "
	}
	if between == "" {
		g.WriteString("true")
	}
	fmt.Fprintf(g, "] {%s\n", galComment(name, g.net.TransitionLabel(t).ID))
	for _, p := range g.net.Resets(t) {
		fmt.Fprintf(g, "    %s = 0;\n", g.places[p])
	}
	for _, a := range g.net.Post(t) {
		if g.net.Empties(t, a.Place) {
			fmt.Fprintf(g, "    %s = %d;\n", g.places[a.Place], a.Weight)
		}
	}
	for _, a := range g.net.Effect(t) {
		if !g.net.Empties(t, a.Place) {
			fmt.Fprintf(g, "    %s = %s %c %d;\n", g.places[a.Place], g.places[a.Place], "+-"[btoi(a.Weight < 0)], max(a.Weight, -a.Weight))
		}
	}
	g.WriteString("  }\n")
}

// btoi returns 1 for true and 0 for false.
func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}

// writableInGAL returns an error that names a node whose numbers are too large.
func writableInGAL(net *petri.Net) error {
	const why = "a number above 2^31-1: %d"
	for p := range petri.Place(net.Places()) {
		if n := net.InitialTokens(p); n > math.MaxInt32 {
			return cannotSay("place", net.PlaceLabel(p), "GAL", why, n)
		}
	}
	for t := range petri.Transition(net.Transitions()) {
		for _, arcs := range [][]petri.Arc{net.Pre(t), net.Post(t), net.Ceilings(t)} {
			for _, a := range arcs {
				if a.Weight > math.MaxInt32 {
					return cannotSay("transition", net.TransitionLabel(t), "GAL", why, a.Weight)
				}
			}
		}
	}
	return nil
}

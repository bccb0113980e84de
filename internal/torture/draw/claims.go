package draw

import (
	"fmt"
	"strings"
)

// unit is a unit of a nested-unit Petri net.
type unit struct {
	id               string
	places, subunits []string
}

// nupn returns the part of a document that tells units.
func nupn(units []unit, root, safe string, places, transitions, arcs int) string {
	var b strings.Builder
	fmt.Fprintf(&b, "<toolspecific tool=\"nupn\" version=\"1.1\"><size places=\"%d\" transitions=\"%d\" arcs=\"%d\"/>\n", places, transitions, arcs)
	fmt.Fprintf(&b, "<structure units=\"%d\" root=\"%s\" safe=\"%s\">\n", len(units), root, safe)
	for _, u := range units {
		fmt.Fprintf(&b, "<unit id=\"%s\"><places>%s</places><subunits>%s</subunits></unit>\n", u.id, strings.Join(u.places, " "), strings.Join(u.subunits, " "))
	}
	b.WriteString("</structure></toolspecific>")
	return b.String()
}

// falseClaims returns a net whose units claim what is not so: of state machines, in whose
// units other places are, or of any net.
//
// The claim that a unit is safe, which has one token at most, is worth much to a model checker:
// it can keep a unit as a number. A document may be wrong about it. Then a verdict must not rest
// on the claim, and the net must not be taken for unusable either. Rules of units that are
// broken, such as a place in two units, must be reported or passed over.
func falseClaims(s Source) *Net {
	w := newPNML("ptnet")
	var groups [][]string
	if s.Chance(0.6) {
		groups = w.machines(s)
	} else {
		w.random(s, func() string { return Pick(s, "0", "0", "1", "1", "10") }, func() string { return Pick(s, "1", "1", "1", "2") }, s.Chance(0.7))
		groups = make([][]string, s.Between(1, 4))
		for _, p := range w.places {
			g := s.IntN(len(groups))
			groups[g] = append(groups[g], p)
		}
	}
	if s.Chance(0.7) { // tokens come into a unit that has one, or has none
		w.place("extra", Pick(s, "0", "1", "3", "10", "300"))
		w.transition("leak")
		target := Pick(s, w.places...)
		w.arc("extra", "leak", "1")
		w.arc("leak", target, Pick(s, "1", "1", "2", "255"))
		g := s.IntN(len(groups))
		if s.Chance(0.5) {
			groups = append(groups, []string{"extra"})
		} else {
			groups[g] = append(groups[g], "extra")
		}
	}
	units := nest(s, groups)
	if s.Chance(0.12) {
		spoil(s, units, w.places)
	}
	places, transitions := len(w.places), len(w.transitions)
	if s.Chance(0.04) {
		places = s.Magnitude(1, 1<<30)
	}
	root, safe := "root", Pick(s, "true", "true", "true", "true", "false")
	if s.Chance(0.04) {
		root = Pick(s, "nowhere", "u0")
	}
	if s.Chance(0.02) {
		safe = "maybe"
	}
	return w.net(nupn(units, root, safe, places, transitions, w.arcs))
}

// nest makes each group a unit, below the root or one another.
func nest(s Source, groups [][]string) []unit {
	units := []unit{{id: "root"}}
	for i, g := range groups {
		units = append(units, unit{id: fmt.Sprintf("u%d", i), places: g})
		parent := 0
		if s.Chance(0.3) {
			parent = s.IntN(i + 1)
		}
		units[parent].subunits = append(units[parent].subunits, units[i+1].id)
	}
	return units
}

// spoil breaks a rule of units.
//
// What becomes of the document is left open: a twin that cannot read it has no opinion, and the
// program must only end well.
func spoil(s Source, units []unit, places []string) {
	u := &units[s.IntN(len(units))]
	switch s.IntN(6) {
	case 0:
		u.places = append(u.places, Pick(s, places...)) // in two units, or twice in one
	case 1:
		u.subunits = append(u.subunits, units[s.IntN(len(units))].id) // a circle, or two parents
	case 2:
		u.places = append(u.places, "nowhere")
	case 3:
		u.subunits = append(u.subunits, "nowhere")
	case 4:
		u.id = units[0].id
	case 5:
		u.places = nil
	}
}

// deepUnits returns a state machine below many nested units.
func deepUnits(s Source) *Net {
	w := newPNML("ptnet")
	depth := s.Magnitude(10, 20000)
	lonely := s.Chance(0.5) // a place in each unit
	units := make([]unit, 0, depth)
	for d := range depth {
		u := unit{id: fmt.Sprintf("u%d", d)}
		if d < depth-1 {
			u.subunits = []string{fmt.Sprintf("u%d", d+1)}
		}
		if lonely || d == depth-1 {
			u.places = []string{fmt.Sprintf("p%d", d), fmt.Sprintf("q%d", d)}
			w.place(u.places[0], Pick(s, "1", "1", "0"))
			w.place(u.places[1], "0")
			w.transition(fmt.Sprintf("t%d", d))
			w.arc(u.places[0], fmt.Sprintf("t%d", d), "1")
			w.arc(fmt.Sprintf("t%d", d), u.places[1], "1")
		}
		units = append(units, u)
	}
	if s.Chance(0.3) {
		units[depth-1].subunits = []string{"u0"}
	}
	return w.net(nupn(units, "u0", Pick(s, "true", "false"), len(w.places), len(w.transitions), w.arcs))
}

package draw

import (
	"fmt"
	"strings"

	"pnmc/internal/torture/twin"
)

// wideArcs is about how many arcs a wide net has at most.
const wideArcs = 60_000

// wideNet has nodes with very many arcs, placed so that what looks at the arcs of each neighbour of a
// node, or puts neighbours together, does so millions of times. The shapes are those at which
// reductions of nets were found not to look at their limits:
//
//   - many transitions give to a place, and one with many arcs takes from it;
//   - a transition changes nothing, and others need as much and one place more;
//   - a place inhibits many transitions, and many give to it;
//   - many transitions give to a place and need the same places, from which nothing is taken.
func wideNet(s Source) *Net {
	w := newPNML("ptnet")
	switch s.IntN(4) {
	case 0:
		w.fan(s.Magnitude(3, 1000), s.Magnitude(10, wideArcs/4))
	case 1:
		places := s.Magnitude(10, 2000)
		w.rivals(places, min(64, wideArcs/places))
	case 2:
		w.inhibited(s.Magnitude(10, wideArcs/6), s.Magnitude(10, wideArcs/6))
	default:
		producers := s.Magnitude(3, 1000)
		w.lasting(producers, min(400, wideArcs/2/producers))
	}
	return w.net("")
}

// many adds n places.
func (w *pnml) many(prefix, tokens string, n int) {
	for i := range n {
		w.place(fmt.Sprint(prefix, i), tokens)
	}
}

func (w *pnml) fan(producers, arcs int) {
	w.place("p", "0")
	w.place("r", "0")
	w.many("a", "1", producers)
	w.many("q", "0", arcs)
	for _, id := range []string{"f", "j"} {
		w.transition(id)
	}
	w.arc("p", "f", "1")
	w.arc("j", "r", "1")
	for i := range arcs {
		weight := fmt.Sprint(i + 1)
		w.arc("f", fmt.Sprint("q", i), weight)
		w.arc(fmt.Sprint("q", i), "j", weight)
	}
	for i := range producers {
		a, h, b := fmt.Sprint("a", i), fmt.Sprint("h", i), fmt.Sprint("b", i)
		w.transition(h)
		w.transition(b)
		w.arc(a, h, "1")
		w.arc(h, "p", "1")
		w.arc("r", b, "1")
		w.arc(b, a, "1")
	}
}

func (w *pnml) rivals(places, others int) {
	w.many("p", "2000", places)
	w.place("z", "5")
	w.place("y", "0")
	w.transition("u")
	for i := range places {
		w.arc(fmt.Sprint("p", i), "u", "1000")
		w.arc("u", fmt.Sprint("p", i), "1000")
	}
	for j := range others {
		r := fmt.Sprint("r", j)
		w.transition(r)
		for i := range places {
			w.arc(fmt.Sprint("p", i), r, fmt.Sprint(1+(i*(j+3)+j*j)%17))
		}
		w.arc("z", r, "1")
		w.arc(r, "y", "1")
	}
	w.transition("k")
	w.arc("y", "k", "1")
	w.arc("k", "z", "2")
}

func (w *pnml) inhibited(producers, transitions int) {
	w.place("h", "1")
	w.place("s", "1")
	w.place("d", "0")
	w.place("x", "1")
	for i := range producers {
		g := fmt.Sprint("g", i)
		w.transition(g)
		w.arc("x", g, "1")
		w.arc(g, "x", "1")
		w.arc(g, "h", fmt.Sprint(i+1))
	}
	w.transition("z")
	w.arc("h", "z", "1")
	w.arc("s", "z", "1")
	w.arc("z", "d", "1")
	for i := range transitions {
		u := fmt.Sprint("u", i)
		w.transition(u)
		w.special("inhibitor", "h", u, "1")
		w.arc("d", u, "1")
		w.arc(u, "x", fmt.Sprint(i+1))
	}
}

func (w *pnml) lasting(producers, places int) {
	w.place("p", "0")
	w.place("s", "1")
	w.place("o", "0")
	w.many("a", "1", producers)
	w.many("q", "0", places)
	for _, id := range []string{"f", "m"} {
		w.transition(id)
	}
	w.arc("p", "f", "1")
	w.arc("s", "f", "1")
	w.arc("f", "o", "1")
	w.arc("o", "m", "1")
	w.arc("m", "s", "1")
	for i := range places {
		w.arc("m", fmt.Sprint("q", i), fmt.Sprint(1+i*i%13))
	}
	for j := range producers {
		a, h := fmt.Sprint("a", j), fmt.Sprint("h", j)
		w.transition(h)
		w.arc(a, h, "1")
		w.arc(h, "p", "1")
		for i := range places {
			w.arc(fmt.Sprint("q", i), h, "1")
			w.arc(h, fmt.Sprint("q", i), "1")
		}
	}
}

// productLabels has labels that are products of sums: short texts whose sums of products, or decision
// diagrams, are exponential in them.
func productLabels(s Source, atoms []*twin.Atom) *Automata {
	names := atomNames(atoms)
	for i := range s.Magnitude(5, 60) {
		names = append(names, fmt.Sprintf("%d <= %d", i, i+1))
	}
	clauses := s.Magnitude(2, 100)
	label := func() string {
		var list []string
		for range clauses {
			var literals []string
			for range s.Between(2, 4) {
				literals = append(literals, Pick(s, "", "!")+fmt.Sprint(s.IntN(len(names))))
			}
			list = append(list, "("+strings.Join(literals, " | ")+")")
		}
		return strings.Join(list, " & ")
	}
	return hostileAutomaton(s, names, s.Between(1, 20), s.Between(1, 3), 1, "Inf(0)", label)
}

// Equivalences draws equivalences nested in equivalences, which double with each level for whoever
// looks at both ways of both of their sides.
func Equivalences(s Source, net *Net) *twin.Formula {
	atoms := Atoms(s, net, s.Between(3, 40))
	f := twin.Proposition(Pick(s, atoms...))
	for range s.Magnitude(2, 400) {
		g := twin.Proposition(Pick(s, atoms...))
		if s.Chance(0.3) {
			f, g = g, f
		}
		f = twin.Binary(twin.Equivalent, f, g)
	}
	return f
}

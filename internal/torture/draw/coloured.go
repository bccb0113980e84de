package draw

import (
	"fmt"
	"slices"
	"strings"

	"pnmc/internal/torture/twin"
)

// colouredWriter writes a symmetric net and unfolds it for the twin.
type colouredWriter struct {
	*pnml
	colours int
	twin    *twin.Net
	at      map[string][]int // places of the twin by name, one for each colour or one for the dot
}

// smallColoured returns a net over one cyclic class of few colours, with variables,
// successors and guards.
func smallColoured(s Source) *Net {
	w := &colouredWriter{newPNML("symmetricnet"), s.Between(1, 4), twin.NewNet(), map[string][]int{}}
	for p := range s.Between(1, 5) {
		w.place(s, fmt.Sprintf("p%d", p), s.Chance(0.7))
	}
	for t := range s.Between(1, 4) {
		w.transition(s, fmt.Sprintf("t%d", t))
	}
	w.WriteString("</page><declaration><structure><declarations><namedsort id=\"dot\" name=\"Dot\"><dot/></namedsort>" +
		"<namedsort id=\"c\" name=\"C\"><cyclicenumeration>")
	for i := range w.colours {
		fmt.Fprintf(w, "<feconstant id=\"c%d\" name=\"c%d\"/>", i, i)
	}
	w.WriteString("</cyclicenumeration></namedsort>")
	for _, v := range []string{"x", "y"} {
		fmt.Fprintf(w, "<variabledecl id=\"%s\" name=\"%s\"><usersort declaration=\"c\"/></variabledecl>", v, v)
	}
	w.WriteString("</declarations></structure></declaration></net></pnml>\n")
	return &Net{Text: []byte(w.String()), Twin: w.twin, Places: w.places, Transitions: w.transitions, Coloured: true}
}

// place adds a place with colours, or with plain tokens.
func (w *colouredWriter) place(s Source, id string, coloured bool) {
	w.places = append(w.places, id)
	sort, count, colours := "dot", s.IntN(3), 1
	if coloured {
		sort, colours = "c", w.colours
	}
	all := coloured && s.Chance(0.4)
	tokens := make([]int64, colours)
	term := "<dotconstant/>"
	switch {
	case all:
		term = "<all><usersort declaration=\"c\"/></all>"
		for i := range tokens {
			tokens[i] = int64(count)
		}
	case coloured:
		i := s.IntN(colours)
		term = fmt.Sprintf("<useroperator declaration=\"c%d\"/>", i)
		tokens[i] = int64(count)
	default:
		tokens[0] = int64(count)
	}
	fmt.Fprintf(w, "<place id=\"%s\"><type><structure><usersort declaration=\"%s\"/></structure></type>", id, sort)
	if count > 0 {
		fmt.Fprintf(w, "<hlinitialMarking><structure>%s</structure></hlinitialMarking>", times(count, term))
	}
	w.WriteString("</place>\n")
	for _, n := range tokens {
		w.at[id] = append(w.at[id], w.twin.AddPlace(id, n))
	}
}

func times[N int | int64](count N, term string) string {
	return fmt.Sprintf("<numberof><subterm><numberconstant value=\"%d\"><positive/></numberconstant></subterm><subterm>%s</subterm></numberof>", count, term)
}

// colouredArc is an arc: so many tokens of the colour that a variable has, or one
// further; without a variable, one of each colour.
type colouredArc struct {
	place    string
	count    int
	variable string
	further  int
}

// transition adds a transition with up to two arcs on each side, at least one of them an input,
// and sometimes a guard that compares x and y. The twin gets one transition for each binding.
func (w *colouredWriter) transition(s Source, id string) {
	w.transitions = append(w.transitions, id)
	guard := Pick(s, "", "", "inequality", "equality")
	var arcs [2][]colouredArc
	used := map[string]bool{}
	for side := range arcs {
		for range s.Between(1-side, 2) {
			a := colouredArc{Pick(s, w.places...), Pick(s, 1, 1, 2), "", 0}
			if len(w.at[a.place]) > 1 || w.colours == 1 && s.Chance(0.5) && w.isColoured(a.place) {
				a.variable, a.further = Pick(s, "x", "y", "x", "y", ""), s.IntN(2)
			}
			used[a.variable] = used[a.variable] || a.variable != ""
			arcs[side] = append(arcs[side], a)
		}
	}
	if !used["x"] || !used["y"] {
		guard = "" // variables of a guard must stand on an arc, too
	}
	fmt.Fprintf(w, "<transition id=\"%s\">", id)
	if guard != "" {
		fmt.Fprintf(w, "<condition><structure><%s><subterm><variable refvariable=\"x\"/></subterm><subterm><variable refvariable=\"y\"/></subterm></%s></structure></condition>", guard, guard)
	}
	w.WriteString("</transition>\n")
	for side, list := range arcs {
		for _, a := range list {
			w.arc(id, side, a)
		}
	}
	w.unfold(id, guard, used, arcs)
}

func (w *colouredWriter) isColoured(place string) bool {
	return strings.Contains(w.String(), fmt.Sprintf("<place id=\"%s\"><type><structure><usersort declaration=\"c\"/>", place))
}

// arc writes an arc. Side is 0 from the place to the transition, and 1 back.
func (w *colouredWriter) arc(transition string, side int, a colouredArc) {
	term := "<dotconstant/>"
	switch {
	case a.variable != "":
		term = fmt.Sprintf("<variable refvariable=\"%s\"/>", a.variable)
		if a.further == 1 {
			term = "<successor><subterm>" + term + "</subterm></successor>"
		}
	case w.isColoured(a.place):
		term = "<all><usersort declaration=\"c\"/></all>"
	}
	source, target := a.place, transition
	if side == 1 {
		source, target = target, source
	}
	w.arcs++
	fmt.Fprintf(w, "<arc id=\"a%d\" source=\"%s\" target=\"%s\"><hlinscription><structure>%s</structure></hlinscription></arc>\n", w.arcs, source, target, times(a.count, term))
}

// unfold adds a transition to the twin for each value of the variables.
//
// For example, with two colours, a transition t that takes x from p and puts the successor of x
// into q becomes t[x=c0], from the place of c0 to that of c1, and t[x=c1], from c1 to c0: the
// class is a cycle.
func (w *colouredWriter) unfold(id, guard string, used map[string]bool, arcs [2][]colouredArc) {
	values := func(variable string) int {
		if used[variable] {
			return w.colours
		}
		return 1
	}
	for x := range values("x") {
		for y := range values("y") {
			if guard == "inequality" && x == y || guard == "equality" && x != y {
				continue
			}
			var both [2][]twin.Arc
			for side, list := range arcs {
				for _, a := range list {
					places := w.at[a.place]
					if a.variable != "" {
						value := x
						if a.variable == "y" {
							value = y
						}
						i := (value + a.further) % w.colours
						places = slices.Clone(places[i : i+1])
					}
					for _, p := range places {
						both[side] = append(both[side], twin.Arc{Place: p, Weight: int64(a.count)})
					}
				}
			}
			var binding []string
			for i, variable := range []string{"x", "y"} {
				if used[variable] {
					binding = append(binding, fmt.Sprintf("%s=c%d", variable, []int{x, y}[i]))
				}
			}
			t := w.twin.AddTransition(id, both[0], both[1])
			name := id + "[" + strings.Join(binding, ",") + "]"
			w.twin.Bindings[name] = append(w.twin.Bindings[name], t)
		}
	}
	if w.twin.Transitions[id] == nil { // no binding at all
		w.twin.TransitionNames = append(w.twin.TransitionNames, id)
		w.twin.Transitions[id] = []int{}
	}
}

// extremeDomains returns a net with classes of no colour, or of very many.
func extremeDomains(s Source) *Net {
	w := newPNML("symmetricnet")
	class := Pick(s, "<cyclicenumeration></cyclicenumeration>", "<finiteenumeration></finiteenumeration>",
		"<finiteintrange start=\"1\" end=\"0\"/>", "<finiteintrange start=\"0\" end=\"1000000000\"/>", "<finiteintrange start=\"0\" end=\"9223372036854775807\"/>",
		"<finiteintrange start=\"-5\" end=\"5\"/>", "<finiteintrange start=\"0\" end=\"99999\"/>", "<cyclicenumeration>"+constants(s.Magnitude(2, 3000))+"</cyclicenumeration>")
	factors := s.Magnitude(1, 12)
	product := strings.Repeat("<usersort declaration=\"c\"/>", factors)
	tuple := func(variable func(int) string) string {
		var b strings.Builder
		b.WriteString("<tuple>")
		for i := range factors {
			b.WriteString("<subterm>" + variable(i) + "</subterm>")
		}
		return b.String() + "</tuple>"
	}
	all := "<all><usersort declaration=\"d\"/></all>"
	variables := Pick(s, s.Between(1, 4), s.Magnitude(1, 60))
	first := 0 // variable of a tuple
	variable := func(i int) string { return fmt.Sprintf("<variable refvariable=\"v%d\"/>", (first+i)%variables) }
	// tokens are those of an arc: a tuple, all, or so many tuples that all variables are among them.
	tokens := func() string {
		switch {
		case s.Chance(0.2):
			return times(1, all)
		case s.Chance(0.7):
			return times(1, tuple(variable))
		}
		var b strings.Builder
		b.WriteString("<add>")
		for first = 0; first < variables; first++ {
			b.WriteString("<subterm>" + times(Pick(s, 1, 1, 1, 3), tuple(variable)) + "</subterm>")
		}
		first = 0
		return b.String() + "</add>"
	}
	w.places, w.transitions = []string{"p", "q", "r"}, []string{"t", "u"}
	for i, p := range w.places {
		fmt.Fprintf(w, "<place id=\"%s\"><type><structure><usersort declaration=\"d\"/></structure></type>", p)
		if i == 0 || s.Chance(0.3) {
			fmt.Fprintf(w, "<hlinitialMarking><structure>%s</structure></hlinitialMarking>", times(Pick[int64](s, 1, 1, 2, 1<<40), all))
		}
		w.WriteString("</place>\n")
	}
	for _, t := range w.transitions {
		fmt.Fprintf(w, "<transition id=\"%s\"/>\n", t)
		for side, list := range [2][]string{{Pick(s, w.places...)}, {Pick(s, w.places...)}} {
			for _, p := range list {
				term := tokens()
				if side == 1 {
					fmt.Fprintf(w, "<arc id=\"o%s%s\" source=\"%s\" target=\"%s\"><hlinscription><structure>%s</structure></hlinscription></arc>\n", t, p, t, p, term)
				} else {
					fmt.Fprintf(w, "<arc id=\"i%s%s\" source=\"%s\" target=\"%s\"><hlinscription><structure>%s</structure></hlinscription></arc>\n", t, p, p, t, term)
				}
			}
		}
	}
	w.WriteString("</page><declaration><structure><declarations><namedsort id=\"c\" name=\"C\">" + class + "</namedsort>" +
		"<namedsort id=\"d\" name=\"D\"><productsort>" + product + "</productsort></namedsort>")
	for v := range variables {
		fmt.Fprintf(w, "<variabledecl id=\"v%d\" name=\"v%d\"><usersort declaration=\"c\"/></variabledecl>", v, v)
	}
	w.WriteString("</declarations></structure></declaration></net></pnml>\n")
	return &Net{Text: []byte(w.String()), Places: w.places, Transitions: w.transitions, Coloured: true}
}

func constants(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "<feconstant id=\"c%d\" name=\"c%d\"/>", i, i)
	}
	return b.String()
}

package draw

import (
	"fmt"
	"slices"
	"strings"

	"pnmc/internal/torture/twin"
)

// Nets with arcs that move no tokens and with capacities, and nets in the formats of other
// tools.

// ContestNetKinds returns those of the kinds of nets that are PNML always, as the contest's are.
func ContestNetKinds() []string {
	return slices.DeleteFunc(NetKinds(), func(kind string) bool { return kind == "net-tina" || kind == "net-lola" || kind == "net-long" })
}

// specialNet has inhibitor, reset and read arcs, and places with capacities.
func specialNet(s Source) *Net {
	w := newPNML("ptnet")
	if s.Chance(0.2) {
		if s.Chance(0.5) {
			w.wideReads(s.Magnitude(100, 10_000))
		} else {
			w.wideSpecial(s.Magnitude(100, 20000))
		}
		return w.net("")
	}
	w.random(s, func() string { return Pick(s, "0", "0", "1", "1", "2") }, func() string { return Pick(s, "1", "1", "1", "2") }, s.Chance(0.7))
	resets := s.Chance(0.5)
	for range s.Between(1, 4) {
		kind, weight := "inhibitor", Pick(s, "1", "1", "2", "3")
		switch {
		case resets && s.Chance(0.5):
			kind, weight = "reset", "1"
		case !resets && s.Chance(0.4): // what both do together is a matter of definition
			kind = "read"
		}
		w.special(kind, Pick(s, w.places...), Pick(s, w.transitions...), weight)
	}
	text := w.String()
	for _, p := range w.places {
		if s.Chance(0.2) {
			text = strings.Replace(text, fmt.Sprintf(`<place id="%s">`, p), fmt.Sprintf(`<place id="%s"><capacity><text>%d</text></capacity>`, p, s.Between(2, 4)), 1)
		}
	}
	w.Reset()
	w.WriteString(text)
	return w.net("")
}

// special adds an arc of that kind.
func (w *pnml) special(kind, place, transition, weight string) {
	w.arcs++
	fmt.Fprintf(w, `<arc id="a%d" source="%s" target="%s" type="%s">`, w.arcs, place, transition, kind)
	if weight != "1" {
		fmt.Fprintf(w, `<inscription><text>%s</text></inscription>`, weight)
	}
	w.WriteString("</arc>\n")
}

// wideReads has five transitions that read each of n places, of which the first also takes one.
func (w *pnml) wideReads(n int) {
	for t := range 5 {
		w.transition(fmt.Sprintf("t%d", t))
	}
	for p := range n {
		id := fmt.Sprintf("p%d", p)
		w.place(id, "1")
		for t := range 5 {
			w.special("read", id, fmt.Sprintf("t%d", t), "1")
		}
	}
	w.arc("p0", "t0", "1")
}

// wideSpecial has transitions with an arc of each kind at each of n places.
func (w *pnml) wideSpecial(n int) {
	for t := range 2 {
		w.transition(fmt.Sprintf("t%d", t))
	}
	for p := range n {
		id := fmt.Sprintf("p%d", p)
		w.place(id, "1")
		w.special("reset", id, "t0", "1")
		w.arc("t0", id, "1")
		w.special("inhibitor", id, "t1", "2")
		w.arc(id, "t1", "1")
	}
}

// inFormat returns a small net, or one with very many arcs in a line, in another format.
func inFormat(s Source, file string, write func(n *twin.Net) string) *Net {
	w := newPNML("ptnet")
	if s.Chance(0.2) {
		n := s.Magnitude(1000, 300000)
		w.transition("t0")
		for p := range min(n, 1000) {
			w.place(fmt.Sprintf("p%d", p), "1")
		}
		net := &Net{File: file, Places: w.places[:50], Transitions: w.transitions}
		known := twin.NewNet()
		for _, p := range w.places {
			known.AddPlace(p, 1)
		}
		known.AddTransition("t0", nil, nil)
		for i := range n {
			known.Inputs[0] = append(known.Inputs[0], twin.Arc{Place: i % len(w.places), Weight: 1})
		}
		net.Text = []byte(write(known))
		return net
	}
	w.random(s, func() string { return Pick(s, "0", "0", "1", "1", "2") }, func() string { return Pick(s, "1", "1", "1", "2", "3") }, s.Chance(0.8))
	if file == "net.net" {
		for range s.IntN(3) {
			w.special("inhibitor", Pick(s, w.places...), Pick(s, w.transitions...), Pick(s, "1", "2"))
		}
	}
	n := w.net("")
	n.File, n.Text = file, []byte(write(n.Twin))
	if s.Chance(0.3) {
		n.Text, n.Twin = Damage(s, n.Text), nil
	}
	return n
}

// tinaNet draws a net in the format of Tina, with inhibitor arcs.
func tinaNet(s Source) *Net {
	return inFormat(s, "net.net", func(n *twin.Net) string {
		var b strings.Builder
		for p, name := range n.PlaceNames {
			fmt.Fprintf(&b, "pl %s (%d)\n", name, n.Initial[p])
		}
		arcs := func(list []twin.Arc, mark string) {
			for _, a := range list {
				fmt.Fprintf(&b, " %s%s%d", n.PlaceNames[a.Place], mark, a.Weight)
			}
		}
		for t, name := range n.TransitionNames {
			fmt.Fprintf(&b, "tr %s", name)
			arcs(n.Inputs[t], "*")
			arcs(n.Inhibitors[t], "?-")
			b.WriteString(" ->")
			arcs(n.Outputs[t], "*")
			b.WriteString("\n")
		}
		return b.String()
	})
}

// lolaNet draws a net in the format of LoLA.
func lolaNet(s Source) *Net {
	return inFormat(s, "net.lola", func(n *twin.Net) string {
		var b strings.Builder
		fmt.Fprintf(&b, "PLACE %s;\nMARKING", strings.Join(n.PlaceNames, ", "))
		list := func(arcs []twin.Arc) {
			for i, a := range arcs {
				if i > 0 {
					b.WriteString(",")
				}
				fmt.Fprintf(&b, " %s: %d", n.PlaceNames[a.Place], a.Weight)
			}
			b.WriteString(";\n")
		}
		var marking []twin.Arc
		for p, tokens := range n.Initial {
			marking = append(marking, twin.Arc{Place: p, Weight: tokens})
		}
		list(marking)
		for t, name := range n.TransitionNames {
			fmt.Fprintf(&b, "TRANSITION %s\nCONSUME", name)
			list(n.Inputs[t])
			b.WriteString("PRODUCE")
			list(n.Outputs[t])
		}
		return b.String()
	})
}

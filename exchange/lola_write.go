package exchange

import (
	"bufio"
	"io"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"pnmc/internal/lazy"
	"pnmc/petri"
)

// lolaWord matches identifiers. lolaKeywords are words that an identifier must not be.
var (
	lolaWord = lazy.Value[*regexp.Regexp]{Make: func() *regexp.Regexp {
		return regexp.MustCompile(`^[^,;:()\s{}]+$`)
	}}
	lolaKeywords = []string{"PLACE", "MARKING", "TRANSITION", "CONSUME", "PRODUCE", "SAFE", "STRONG", "WEAK", "FAIR", "NUMBER"}
)

// WriteLoLA writes net in LoLA's format, with identifiers and no names. The error is that of w, or
// names a node that the format cannot describe in full.
//
// A place that a transition only reads is in both of its lists, with the same number: LoLA has no
// arcs for that, and it means the same.
func WriteLoLA(w io.Writer, net *petri.Net) error {
	if err := writableInLoLA(net); err != nil {
		return err
	}
	out := bufio.NewWriter(w)
	list := func(head string, arcs []petri.Arc) {
		out.WriteString(head)
		for i, a := range arcs {
			if i > 0 {
				out.WriteByte(',')
			}
			out.WriteString(" " + net.PlaceLabel(a.Place).ID + " : " + strconv.FormatInt(a.Weight, 10))
		}
		out.WriteString(";\n")
	}
	out.WriteString("PLACE")
	var marking []petri.Arc
	for p := range petri.Place(net.Places()) {
		if p > 0 {
			out.WriteByte(',')
		}
		out.WriteString("\n  " + net.PlaceLabel(p).ID)
		if n := net.InitialTokens(p); n > 0 {
			marking = append(marking, petri.Arc{Place: p, Weight: n})
		}
	}
	out.WriteString(";\n")
	list("MARKING", marking)
	for t := range petri.Transition(net.Transitions()) {
		out.WriteString("TRANSITION " + net.TransitionLabel(t).ID + "\n")
		list("  CONSUME", net.Pre(t))
		list("  PRODUCE", net.Post(t))
	}
	return out.Flush()
}

// writableInLoLA returns an error that names a node of which the format cannot say all.
func writableInLoLA(net *petri.Net) error {
	const format = "LoLA's format"
	fits := func(kind string, l petri.Label) error {
		if !lolaWord.Get().MatchString(l.ID) || slices.Contains(lolaKeywords, l.ID) || strings.HasPrefix(l.ID, "//") {
			return cannotSay(kind, l, format, "its identifier")
		}
		return nil
	}
	if net.Places() == 0 {
		return cannotSay("net", petri.Label{ID: net.ID}, format, "that there is no place")
	}
	for p := range petri.Place(net.Places()) {
		if err := fits("place", net.PlaceLabel(p)); err != nil {
			return err
		}
		if net.Capacity(p) != petri.Unbounded {
			return cannotSay("place", net.PlaceLabel(p), format, "its capacity %d", net.Capacity(p))
		}
	}
	for t := range petri.Transition(net.Transitions()) {
		label := net.TransitionLabel(t)
		if err := fits("transition", label); err != nil {
			return err
		}
		if arcs := net.Inhibitors(t); len(arcs) > 0 {
			return cannotSay("transition", label, format, "its inhibitor arc from %q", net.PlaceLabel(arcs[0].Place).ID)
		}
		if resets := net.Resets(t); len(resets) > 0 {
			return cannotSay("transition", label, format, "its reset arc from %q", net.PlaceLabel(resets[0]).ID)
		}
	}
	return nil
}

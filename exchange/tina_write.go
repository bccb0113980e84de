package exchange

import (
	"bufio"
	"io"
	"regexp"
	"strconv"
	"strings"

	"pnmc/internal/lazy"
	"pnmc/petri"
)

// WriteTina writes net in Tina's .net format: places with their tokens, and transitions with their
// arcs, inhibitor arcs among them. Arcs of one weight to and fro are written as a read arc, which
// they were made of or mean the same as. Names that differ from identifiers are labels. The error
// is that of w, or names a node that the format cannot describe in full.
func WriteTina(w io.Writer, net *petri.Net) error {
	if err := writableInTina(net); err != nil {
		return err
	}
	out := bufio.NewWriter(w)
	if net.ID != "" {
		out.WriteString("net " + tinaQuoted(net.ID) + "\n")
	}
	for p := range petri.Place(net.Places()) {
		out.WriteString("pl " + tinaLabelled(net.PlaceLabel(p)) + " (" + strconv.FormatInt(net.InitialTokens(p), 10) + ")\n")
	}
	for t := range petri.Transition(net.Transitions()) {
		out.WriteString("tr " + tinaLabelled(net.TransitionLabel(t)))
		arcs := func(list []petri.Arc, mark string) {
			for _, a := range list {
				out.WriteString(" " + tinaQuoted(net.PlaceLabel(a.Place).ID))
				if a.Weight != 1 || mark != "*" {
					out.WriteString(mark + strconv.FormatInt(a.Weight, 10))
				}
			}
		}
		taken, read, given := readArcs(net, t)
		arcs(taken, "*")
		arcs(read, "?")
		arcs(net.Inhibitors(t), "?-")
		out.WriteString(" ->")
		arcs(given, "*")
		if err := out.WriteByte('\n'); err != nil {
			return err
		}
	}
	return out.Flush()
}

// readArcs separates the arcs of t that take and give back as much from those that really
// take or give.
//
// For example, a transition that takes 2 from p and 1 from q, and gives 2 to p and 1 to r, reads
// p, takes q and gives r. If it gives 3 to p instead, p is both taken and given. Both lists are
// sorted by places, so that one pass through them is enough.
func readArcs(net *petri.Net, t petri.Transition) (taken, read, given []petri.Arc) {
	post := net.Post(t)
	for _, a := range net.Pre(t) {
		for len(post) > 0 && post[0].Place < a.Place {
			given, post = append(given, post[0]), post[1:]
		}
		if len(post) > 0 && post[0] == a {
			read, post = append(read, a), post[1:]
		} else {
			taken = append(taken, a)
		}
	}
	return taken, read, append(given, post...)
}

// writableInTina returns an error that names a node of which the format cannot say all.
func writableInTina(net *petri.Net) error {
	const format = "Tina's .net"
	for p := range petri.Place(net.Places()) {
		if net.Capacity(p) != petri.Unbounded {
			return cannotSay("place", net.PlaceLabel(p), format, "its capacity %d", net.Capacity(p))
		}
		if l := net.PlaceLabel(p); strings.ContainsAny(l.ID+l.Name, "\n\r") {
			return cannotSay("place", l, format, "a name of several lines")
		}
	}
	for t := range petri.Transition(net.Transitions()) {
		if resets := net.Resets(t); len(resets) > 0 {
			return cannotSay("transition", net.TransitionLabel(t), format, "its reset arc from %q", net.PlaceLabel(resets[0]).ID)
		}
		if l := net.TransitionLabel(t); strings.ContainsAny(l.ID+l.Name, "\n\r") {
			return cannotSay("transition", l, format, "a name of several lines")
		}
	}
	if strings.ContainsAny(net.ID, "\n\r") {
		return cannotSay("net", petri.Label{ID: net.ID}, format, "a name of several lines")
	}
	return nil
}

var (
	tinaPlain = lazy.Value[*regexp.Regexp]{Make: func() *regexp.Regexp {
		return regexp.MustCompile(`^[A-Za-z0-9_']+$`)
	}}
	tinaEscape = lazy.Value[*strings.Replacer]{Make: func() *strings.Replacer {
		return strings.NewReplacer(`\`, `\\`, `{`, `\{`, `}`, `\}`)
	}}
)

// tinaQuoted returns a name as it is written.
func tinaQuoted(name string) string {
	if tinaPlain.Get().MatchString(name) {
		return name
	}
	return "{" + tinaEscape.Get().Replace(name) + "}"
}

// tinaLabelled returns an identifier with the name behind it, if there is one.
func tinaLabelled(l petri.Label) string {
	if l.Name == "" {
		return tinaQuoted(l.ID)
	}
	return tinaQuoted(l.ID) + " : " + tinaQuoted(l.Name)
}

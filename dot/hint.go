package dot

import (
	"fmt"
	"strconv"
	"strings"

	"pnmc/automata"
)

// hint is what pnmc says of an automaton in the drawing's attribute comment, where
// the rest of it would be read as another automaton. Spot doesn't.
//
// For example, take a TA with two acceptance sets and no edge in the second. It would be read as
// one with a single set. The comment says that there are two.
type hint struct {
	kind automata.Kind
	sets int
}

// hintStart begins it, unlike other comments.
const hintStart = "Testing: "

// text returns the value of the attribute.
func (h hint) text(names []string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s%v; Acceptance: %d; AP: %d", hintStart, h.kind, h.sets, len(names))
	for _, name := range names {
		b.WriteString(" " + quotedName(name))
	}
	return b.String()
}

// readHint takes a comment over that is one.
func (d *drawn) readHint(s statement) error {
	rest, ok := strings.CutPrefix(s.value, hintStart)
	if !ok {
		return nil
	}
	wrong := problem(s.at, "expected a comment such as %q, found %q", hint{automata.TA, 1}.text([]string{"a"}), s.value)
	kind, rest, _ := strings.Cut(rest, "; Acceptance: ")
	sets, rest, _ := strings.Cut(rest, "; AP: ")
	count, rest, _ := strings.Cut(rest, " ")
	h := hint{kind: automata.TGTA}
	switch kind {
	case automata.TGTA.String():
	case automata.TA.String():
		h.kind = automata.TA
	default:
		return wrong
	}
	var err error
	if h.sets, err = strconv.Atoi(sets); err != nil || h.sets < 0 || h.sets > setsBound {
		return wrong
	}
	names, err := strconv.Atoi(count)
	if err != nil || d.hint != nil || len(d.labels.names) > 0 {
		return wrong
	}
	for w := (words{rest: rest}); !w.atEnd(); {
		name, ok := w.name()
		if !ok {
			return wrong
		}
		if _, err := d.labels.proposition(name, false); err != nil {
			return problem(s.at, "%v", err)
		}
	}
	if names != len(d.labels.names) {
		return wrong
	}
	d.hint = &h
	return nil
}

package hoa

import (
	"context"

	"pnmc/automata"
	"pnmc/internal/account"
	"pnmc/internal/lazy"
)

// bytesBetweenLooks is what is asked for at each look while properties are checked: what an account
// charges between two looks.
const bytesBetweenLooks = 1 << 20

// The properties of a header are hints about the automaton: by the format, ignoring them does not
// change what it is. So properties that the text shows to be false, or that contradict each other,
// are dropped with a warning. A strict reader refuses the automaton, since its maker was wrong
// about it. Properties that the format doesn't define are ignored.

// exclusions are pairs of properties that can't hold together; '!' negates.
var exclusions = [][2]string{
	{"state-labels", "trans-labels"},
	{"state-labels", "implicit-labels"},
	{"implicit-labels", "explicit-labels"},
	{"state-acc", "trans-acc"},
	{"deterministic", "!unambiguous"},
	{"deterministic", "!semi-deterministic"},
	{"deterministic", "exist-branch"},
	{"terminal", "!weak"},
	{"terminal", "!inherently-weak"},
	{"very-weak", "!weak"},
	{"very-weak", "!inherently-weak"},
	{"weak", "!inherently-weak"},
}

// claims are the properties that automata.Claims has.
var claims = lazy.Value[map[string]automata.Claims]{Make: func() map[string]automata.Claims {
	return map[string]automata.Claims{
		"deterministic":      automata.ClaimDeterministic,
		"complete":           automata.ClaimComplete,
		"unambiguous":        automata.ClaimUnambiguous,
		"semi-deterministic": automata.ClaimSemiDeterministic,
		"stutter-invariant":  automata.ClaimStutterInvariant,
		"weak":               automata.ClaimWeak,
		"very-weak":          automata.ClaimVeryWeak,
		"inherently-weak":    automata.ClaimInherentlyWeak,
		"terminal":           automata.ClaimTerminal,
	}
}}

// key returns the property's name with '!' if it is negated. Version 1 writes
// no-univ-branch where version 1.1 writes !univ-branch.
func (p property) key() string {
	switch {
	case p.name == "no-univ-branch" && !p.negated:
		return "!univ-branch"
	case p.negated:
		return "!" + p.name
	}
	return p.name
}

// claimed returns where the header gives a property, in the form of key.
func (h *header) claimed(key string) (Position, bool) {
	at, ok := h.claimedAt[key]
	return at, ok
}

// claim notes a property.
func (h *header) claim(p property) {
	h.properties = append(h.properties, p)
	if _, ok := h.claimedAt[p.key()]; !ok {
		h.claimedAt[p.key()] = p.at
	}
}

// claims returns the properties that are given unnegated. A stutter-invariant
// testing automaton would be one that is so as an automaton over changesets,
// which says nothing about its property.
func (h *header) claims() (c automata.Claims) {
	for _, p := range h.properties {
		if _, denied := h.claimed(property{name: p.name, negated: !p.negated}.key()); !p.negated && !denied {
			c |= claims.Get()[p.name]
		}
	}
	if h.kind != automata.Plain {
		c &^= automata.ClaimStutterInvariant
	}
	return c
}

// checkProperties reports properties that contradict each other.
//
// For example, "properties: deterministic exist-branch" is reported at the second word, with the
// place of the first.
func (r *Reader) checkProperties() {
	h := &r.header
	seen := make(map[string]Position, len(h.properties))
	for _, p := range h.properties {
		opposite := property{name: p.name, negated: !p.negated}
		if p.name == "no-univ-branch" {
			opposite = property{name: "univ-branch"}
		}
		if p.name == "univ-branch" && !p.negated {
			r.falseHint(p.at, "property univ-branch is of automata with universal branching, which are not supported")
		}
		if before, ok := seen[opposite.key()]; ok {
			r.falseHint(p.at, "property %s contradicts %s at %d:%d", p.key(), opposite.key(), before.Line, before.Column)
		}
		seen[p.key()] = p.at
	}
	for _, e := range exclusions {
		first, ok := seen[e[0]]
		second, also := seen[e[1]]
		if ok && also {
			r.falseHint(second, "property %s contradicts %s at %d:%d", e[1], e[0], first.Line, first.Column)
		}
	}
}

// usage is where the body first uses one of the forms of the format; a line of
// zero says that it doesn't.
type usage struct {
	stateLabel, edgeLabel, implicitLabel Position
	stateMarks, edgeMarks                Position
	notColored                           Position // the end of an edge without exactly one mark
}

// checkUsage reports properties that the form of the body contradicts.
func (r *Reader) checkUsage() {
	u := &r.usage
	for _, c := range []struct {
		property string
		at       Position
		used     string
	}{
		{"state-labels", u.edgeLabel, "an edge has a label"},
		{"state-labels", u.implicitLabel, "a state and its edges have no label"},
		{"trans-labels", u.stateLabel, "a state has a label"},
		{"implicit-labels", u.stateLabel, "a state has a label"},
		{"implicit-labels", u.edgeLabel, "an edge has a label"},
		{"explicit-labels", u.implicitLabel, "the labels of a state's edges are implicit"},
		{"state-acc", u.edgeMarks, "an edge has acceptance sets of its own"},
		{"trans-acc", u.stateMarks, "a state has acceptance sets"},
		{"colored", u.notColored, "an edge is not in exactly one acceptance set"},
	} {
		if claim, ok := r.header.claimed(c.property); ok && c.at.Line > 0 {
			r.falseUsage(c.at, claim, c.property, c.used)
		}
	}
}

// falseUsage reports that the body uses a form at a place that a property excludes.
func (r *Reader) falseUsage(at, claim Position, property, used string) {
	if r.strict {
		r.report(at, "%s, despite property %s at %d:%d", used, property, claim.Line, claim.Column)
		return
	}
	r.warn(claim, "property %s is ignored: %s at %d:%d", property, used, at.Line, at.Column)
}

// checkStructure drops properties that the automaton read from the text up to
// end does not have. Those that would cost too much to find out are dropped,
// with a warning. Where the limit of the reader ends that, it ends the stream.
func (r *Reader) checkStructure(a *automata.Automaton, end Position) {
	t := &structure{ctx: context.Background(), a: a}
	if r.limit != nil {
		t.ctx = account.Asking(r.limit, bytesBetweenLooks)
	}
	for _, m := range measures {
		known, holds, err := false, false, error(nil)
		for _, negated := range []bool{false, true} {
			p := property{name: m.property, negated: negated}
			claim, ok := r.header.claimed(p.key())
			if !ok {
				continue
			}
			if !known {
				known = true
				holds, err = m.holds(t)
				if full := account.Reason(t.ctx); full != nil {
					r.stop(full)
					return
				}
			}
			switch {
			case err != nil:
				a.Claims &^= claims.Get()[m.property]
				r.warn(claim, "property %s was not checked, and is dropped: %v", p.key(), err)
			case holds == negated:
				a.Claims &^= claims.Get()[m.property]
				r.falseHint(claim, "property %s is false of the automaton that ends at %d:%d", p.key(), end.Line, end.Column)
			}
		}
	}
}

package draw

import (
	"fmt"
	"strings"

	"pnmc/internal/torture/twin"
)

// Automata is a stream of automata in HOA as text, and for the twin.
type Automata struct {
	Kind string
	Text []byte
	// Twins are the automata of the stream; nil if the twin can't have them.
	Twins []*twin.Automaton
}

// automatonKinds returns the kinds of automata: small ones that the twin can decide, and others that
// are hostile by their number of edges, sets, states or propositions, by their nesting, by labels that are
// products of sums or names of such, by false properties, or by damage.
func automatonKinds() kinds[func(Source, []*twin.Atom) *Automata] {
	return kinds[func(Source, []*twin.Atom) *Automata]{
		{"automaton-small", smallAutomata},
		{"automaton-stateless", statelessAutomata},
		{"automaton-edges", manyEdges},
		{"automaton-sets", manySets},
		{"automaton-states", manyStates},
		{"automaton-propositions", manyPropositions},
		{"automaton-conditions", nestedConditions},
		{"automaton-products", productLabels},
		{"automaton-aliases", aliases},
		{"automaton-claims", falseProperties},
		{"automaton-hints", falseHints},
		{"automaton-damaged", damagedAutomata},
		{"automaton-long", longAutomata},
	}
}

// AutomatonKinds returns the names of the kinds of automata.
func AutomatonKinds() []string { return automatonKinds().names() }

// NewAutomata draws a stream of this kind, over the atoms, of which there are up to 4.
func NewAutomata(s Source, kind string, atoms []*twin.Atom) *Automata {
	a := automatonKinds().of(kind)(s, atoms)
	a.Kind = kind
	return a
}

// NewAutomaton draws a small automaton, with acceptance of any form.
func NewAutomaton(s Source, atoms []*twin.Atom) *twin.Automaton {
	a := &twin.Automaton{Initial: []int{0}, Sets: s.IntN(4)}
	for _, x := range atoms {
		a.Propositions = append(a.Propositions, x.Text())
	}
	states := s.Between(1, 5)
	if s.Chance(0.2) && states > 1 {
		a.Initial = append(a.Initial, 1)
	}
	if s.Chance(0.5) { // generalized Büchi
		a.Acceptance = &twin.Acceptance{Op: twin.Always}
		for i := range a.Sets {
			x := &twin.Acceptance{Op: twin.Inf, Set: i}
			if i > 0 {
				x = &twin.Acceptance{Op: twin.Both, Left: a.Acceptance, Right: x}
			}
			a.Acceptance = x
		}
	} else {
		a.Acceptance = condition(s, a.Sets, 3)
	}
	for range states {
		var edges []twin.Transition
		for range s.Between(0, 4) {
			e := twin.Transition{Label: randomLabel(s, len(atoms), 2), To: s.IntN(states)}
			for set := range a.Sets {
				if s.Chance(0.3) {
					e.Marks |= 1 << set
				}
			}
			edges = append(edges, e)
		}
		a.Edges = append(a.Edges, edges)
	}
	return a
}

// condition draws an acceptance condition, so many operators deep at most.
func condition(s Source, sets, depth int) *twin.Acceptance {
	switch {
	case sets == 0 || s.Chance(0.03):
		return &twin.Acceptance{Op: Pick(s, twin.Always, twin.Always, twin.Never)}
	case depth == 0 || s.Chance(0.3):
		return &twin.Acceptance{Op: Pick(s, twin.Inf, twin.Fin), Set: s.IntN(sets)}
	}
	return &twin.Acceptance{Op: Pick(s, twin.Both, twin.Either), Left: condition(s, sets, depth-1), Right: condition(s, sets, depth-1)}
}

// randomLabel draws a formula of propositions, so many operators deep at most.
func randomLabel(s Source, propositions, depth int) *twin.Label {
	switch {
	case propositions == 0 || s.Chance(0.15):
		return &twin.Label{Op: twin.True}
	case depth == 0 || s.Chance(0.3):
		l := &twin.Label{Op: twin.Atomic, Proposition: s.IntN(propositions)}
		if s.Chance(0.5) {
			return &twin.Label{Op: twin.Not, Left: l}
		}
		return l
	}
	return &twin.Label{Op: Pick(s, twin.And, twin.Or), Left: randomLabel(s, propositions, depth-1), Right: randomLabel(s, propositions, depth-1)}
}

// HOA returns the automaton as text; headers are further lines of its head.
func HOA(a *twin.Automaton, headers ...string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "HOA: v1\nStates: %d\n", len(a.Edges))
	if a.Name != "" {
		fmt.Fprintf(&b, "name: %q\n", a.Name)
	}
	for _, q := range a.Initial {
		fmt.Fprintf(&b, "Start: %d\n", q)
	}
	b.WriteString(propositionsHeader(a.Propositions))
	fmt.Fprintf(&b, "Acceptance: %d %s\n", a.Sets, conditionText(a.Acceptance))
	for _, h := range headers {
		b.WriteString(h + "\n")
	}
	b.WriteString("--BODY--\n")
	for q, edges := range a.Edges {
		fmt.Fprintf(&b, "State: %d\n", q)
		for _, e := range edges {
			fmt.Fprintf(&b, "[%s] %d", labelText(e.Label), e.To)
			if e.Marks != 0 {
				b.WriteString(" {")
				for set := range a.Sets {
					if e.Marks>>set&1 == 1 {
						fmt.Fprintf(&b, " %d", set)
					}
				}
				b.WriteString(" }")
			}
			b.WriteString("\n")
		}
	}
	b.WriteString("--END--\n")
	return b.String()
}

func propositionsHeader(names []string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "AP: %d", len(names))
	for _, n := range names {
		b.WriteString(` "` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(n) + `"`)
	}
	return b.String() + "\n"
}

// conditionText returns a condition in the format HOA, with parentheses around all operands.
func conditionText(a *twin.Acceptance) string {
	switch a.Op {
	case twin.Always:
		return "t"
	case twin.Never:
		return "f"
	case twin.Inf:
		return fmt.Sprintf("Inf(%d)", a.Set)
	case twin.Fin:
		return fmt.Sprintf("Fin(%d)", a.Set)
	case twin.Both:
		return "(" + conditionText(a.Left) + ") & (" + conditionText(a.Right) + ")"
	}
	return "(" + conditionText(a.Left) + ") | (" + conditionText(a.Right) + ")"
}

// labelText returns a label in the format HOA, with parentheses around all operands.
func labelText(l *twin.Label) string {
	switch l.Op {
	case twin.True:
		return "t"
	case twin.False:
		return "f"
	case twin.Atomic:
		return fmt.Sprint(l.Proposition)
	case twin.Not:
		return "!(" + labelText(l.Left) + ")"
	case twin.And:
		return "(" + labelText(l.Left) + ") & (" + labelText(l.Right) + ")"
	}
	return "(" + labelText(l.Left) + ") | (" + labelText(l.Right) + ")"
}

// smallAutomata draws a stream of automata that the twin knows, too.
func smallAutomata(s Source, atoms []*twin.Atom) *Automata {
	all := &Automata{}
	for i := range s.Between(1, 3) {
		a := NewAutomaton(s, atoms)
		a.Name = fmt.Sprintf("a%d", i)
		all.Twins = append(all.Twins, a)
		all.Text = append(all.Text, HOA(a)...)
	}
	return all
}

// falseProperties claims properties that an automaton has or has not.
func falseProperties(s Source, atoms []*twin.Atom) *Automata {
	a := NewAutomaton(s, atoms)
	a.Name = "a0"
	claims := []string{"deterministic", "complete", "stutter-invariant", "stutter-sensitive", "weak", "terminal", "very-weak", "inherently-weak",
		"unambiguous", "semi-deterministic", "state-acc", "trans-acc", "trans-labels", "state-labels", "implicit-labels", "explicit-labels",
		"univ-branch", "no-univ-branch", "colored", "tight", "unknown-property"}
	var headers []string
	for range s.Between(1, 6) {
		headers = append(headers, "properties: "+Pick(s, claims...))
	}
	if s.Chance(0.3) {
		headers = append(headers, "acc-name: "+Pick(s, "Buchi", "co-Buchi", "generalized-Buchi 3", "Rabin 1", "Streett 2", "parity min even 3", "all", "none", "nonsense 5"))
	}
	known := true
	if s.Chance(0.15) {
		known = false
		headers = append(headers, "Testing: "+Pick(s, "ta", "tgta", "nonsense"))
	}
	if s.Chance(0.1) {
		known = false
		headers = append(headers, fmt.Sprintf("States: %d", s.IntN(5)))
	}
	all := &Automata{Text: []byte(HOA(a, headers...))}
	if known {
		all.Twins = []*twin.Automaton{a}
	}
	return all
}

func damagedAutomata(s Source, atoms []*twin.Atom) *Automata {
	kind := Pick(s, "automaton-small", "automaton-claims", "automaton-small", "automaton-conditions")
	return &Automata{Text: Damage(s, NewAutomata(s, kind, atoms).Text)}
}

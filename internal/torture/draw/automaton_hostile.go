package draw

import (
	"fmt"
	"strings"

	"pnmc/internal/torture/twin"
)

// statelessAutomata have no state, no start, or no edge.
func statelessAutomata(s Source, atoms []*twin.Atom) *Automata {
	var names []string
	for _, a := range atoms {
		names = append(names, a.Text())
	}
	states := Pick(s, 0, 0, 1, 2)
	text := fmt.Sprintf("HOA: v1\nStates: %d\n%sAcceptance: %s\n", states, propositionsHeader(names), Pick(s, "0 t", "0 f", "1 Inf(0)", "1 Fin(0)", "2 Fin(0) & Inf(1)"))
	if states > 0 && s.Chance(0.6) {
		text += "Start: 0\n"
	}
	text += "--BODY--\n"
	if states > 0 && s.Chance(0.5) {
		text += "State: 0\n"
	}
	text += "--END--\n"
	return &Automata{Text: []byte(strings.Repeat(text, s.Magnitude(1, 3)))}
}

// hostileAutomaton writes an automaton of so many states, each with so many edges.
func hostileAutomaton(s Source, names []string, states, edges, sets int, condition string, label func() string) *Automata {
	var b strings.Builder
	fmt.Fprintf(&b, "HOA: v1\nStates: %d\nStart: 0\n%sAcceptance: %d %s\n--BODY--\n", states, propositionsHeader(names), sets, condition)
	for q := range states {
		fmt.Fprintf(&b, "State: %d\n", q)
		for range edges {
			fmt.Fprintf(&b, "[%s] %d", label(), s.IntN(states))
			if sets > 0 {
				b.WriteString(" {")
				for range s.IntN(4) {
					fmt.Fprintf(&b, " %d", s.IntN(sets))
				}
				b.WriteString(" }")
			}
			b.WriteString("\n")
		}
	}
	b.WriteString("--END--\n")
	return &Automata{Text: []byte(b.String())}
}

func atomNames(atoms []*twin.Atom) []string {
	var names []string
	for _, a := range atoms {
		names = append(names, a.Text())
	}
	return names
}

func shortLabel(s Source, propositions int) func() string {
	return func() string { return labelText(randomLabel(s, propositions, 1)) }
}

// manyEdges has thousands of edges a state.
func manyEdges(s Source, atoms []*twin.Atom) *Automata {
	states := s.Magnitude(1, 50)
	sets := s.IntN(4)
	return hostileAutomaton(s, atomNames(atoms), states, s.Magnitude(100, 100000)/states+1, sets, buchi(sets), shortLabel(s, len(atoms)))
}

// buchi returns generalized Büchi acceptance.
func buchi(sets int) string {
	list := []string{}
	for i := range sets {
		list = append(list, fmt.Sprintf("Inf(%d)", i))
	}
	if sets == 0 {
		return "t"
	}
	return strings.Join(list, "&")
}

// manySets has hundreds of acceptance sets, in a condition of one of the usual shapes.
func manySets(s Source, atoms []*twin.Atom) *Automata {
	sets := s.Magnitude(10, 600) &^ 1
	var pairs []string
	form, between := Pick(s, "(Inf(%d)|Inf(%d))", "(Fin(%d)|Inf(%d))", "(Fin(%d)&Inf(%d))", "(Inf(%d)&Inf(%d))", "(Fin(%d)&Fin(%d))"), Pick(s, "&", "|")
	for i := 0; i < sets; i += 2 {
		pairs = append(pairs, fmt.Sprintf(form, i, i+1))
	}
	states := s.Magnitude(1, 30)
	return hostileAutomaton(s, atomNames(atoms), states, s.Magnitude(1, 3000)/states+1, sets, strings.Join(pairs, between), shortLabel(s, len(atoms)))
}

// manyStates has thousands of states in one component, with few edges each, and up to 64
// sets: what asks for time or memory by the square of the states, or by states times sets,
// does not end.
func manyStates(s Source, atoms []*twin.Atom) *Automata {
	states, edges, sets := s.Magnitude(100, 20000), s.Between(1, 8), s.IntN(65)
	label := shortLabel(s, len(atoms))
	var b strings.Builder
	fmt.Fprintf(&b, "HOA: v1\nStates: %d\nStart: 0\n%sAcceptance: %d %s\n--BODY--\n", states, propositionsHeader(atomNames(atoms)), sets, buchi(sets))
	for q := range states {
		fmt.Fprintf(&b, "State: %d\n[t] %d\n", q, (q+1)%states)
		for range edges {
			fmt.Fprintf(&b, "[%s] %d", label(), s.IntN(states))
			if sets > 0 {
				fmt.Fprintf(&b, " {%d %d}", s.IntN(sets), s.IntN(sets))
			}
			b.WriteString("\n")
		}
	}
	b.WriteString("--END--\n")
	return &Automata{Text: []byte(b.String())}
}

// manyPropositions has hundreds of propositions, with labels of a few or of all.
func manyPropositions(s Source, atoms []*twin.Atom) *Automata {
	names := atomNames(atoms)
	for i := range s.Magnitude(5, 600) {
		name := fmt.Sprintf("%d <= %d", i, i+1)
		if len(atoms) > 0 {
			name = fmt.Sprintf("%s | %d <= %d", atoms[i%len(atoms)].Text(), i, i)
		}
		names = append(names, name)
	}
	wide := s.Chance(0.3)
	label := func() string {
		if !wide {
			return labelText(randomLabel(s, len(names), 4))
		}
		var list []string
		for i := range names {
			list = append(list, Pick(s, "", "!")+fmt.Sprint(i))
		}
		return strings.Join(list, Pick(s, "&", "|", "&", "|"))
	}
	states := s.Between(1, 5)
	return hostileAutomaton(s, names, states, s.Between(1, 5), 1, "Inf(0)", label)
}

// nestedConditions has a condition that is nested deep, or labels that are.
func nestedConditions(s Source, atoms []*twin.Atom) *Automata {
	depth := s.Magnitude(2, 10000)
	if s.Chance(0.3) && len(atoms) > 0 {
		label := strings.Repeat("(0|!(", depth) + "0" + strings.Repeat("))", depth)
		return hostileAutomaton(s, atomNames(atoms), 1, 2, 1, "Inf(0)", func() string { return label })
	}
	sets := s.Between(1, 40)
	if s.Chance(0.4) {
		return hostileAutomaton(s, atomNames(atoms), 3, 4, sets, conditionText(condition(s, sets, s.Between(3, 9))), shortLabel(s, len(atoms)))
	}
	var b strings.Builder
	for range depth {
		fmt.Fprintf(&b, "(%s(%d)%s", Pick(s, "Inf", "Fin"), s.IntN(sets), Pick(s, "&", "|"))
	}
	b.WriteString("Inf(0)" + strings.Repeat(")", depth))
	return hostileAutomaton(s, atomNames(atoms), 3, 4, sets, b.String(), shortLabel(s, len(atoms)))
}

package draw

import (
	"fmt"
	"regexp"
	"strings"

	"pnmc/internal/torture/twin"
)

// aliases has labels by aliases, which are written out wherever they stand. Small automata have one for
// each edge, by the one before it. Others have short texts that stand for very many terms: aliases that
// double the one before, or are products of sums, and then thousands that copy the last of them, or one
// label that names it again and again.
func aliases(s Source, atoms []*twin.Atom) *Automata {
	if s.Chance(0.5) {
		a := NewAutomaton(s, atoms)
		a.Name = "a0"
		return &Automata{Text: withAliases(s, HOA(a)), Twins: []*twin.Automaton{a}}
	}
	names := atomNames(atoms)
	for i := range s.Between(1, 20) {
		names = append(names, fmt.Sprintf("%d <= %d", i, i+1))
	}
	levels := s.Between(2, 14)
	product := s.Chance(0.3)
	var b strings.Builder
	fmt.Fprintf(&b, "HOA: v1\nStates: 1\nStart: 0\n%sAcceptance: 0 t\nAlias: @a0 %s\n", propositionsHeader(names), Pick(s, "t", "0", "!0"))
	for i := 1; i <= levels; i++ {
		if product {
			fmt.Fprintf(&b, "Alias: @a%d @a%d & (%d | !%d)\n", i, i-1, s.IntN(len(names)), s.IntN(len(names)))
		} else {
			fmt.Fprintf(&b, "Alias: @a%d @a%d %s @a%d\n", i, i-1, Pick(s, "|", "|", "&"), i-1)
		}
	}
	last := fmt.Sprintf("@a%d", levels)
	label := last
	if s.Chance(0.5) {
		copies := s.Magnitude(10, 5000)
		for i := range copies {
			fmt.Fprintf(&b, "Alias: @c%d %s\n", i, last)
		}
		label = Pick(s, "t", fmt.Sprintf("@c%d", copies-1))
	} else {
		label = last + strings.Repeat(Pick(s, "|", "&")+last, s.Magnitude(10, 5000))
	}
	fmt.Fprintf(&b, "--BODY--\nState: 0\n[%s] 0\n--END--\n", label)
	return &Automata{Text: []byte(b.String())}
}

var edgeLabel = regexp.MustCompile(`(?m)^\[(.*)\] `)

// withAliases gives the label of each edge a name. Most are written by the one before: a label l is also
// (@e3 & (l)) | (!@e3 & (l)).
func withAliases(s Source, text string) []byte {
	var headers strings.Builder
	n := 0
	text = edgeLabel.ReplaceAllStringFunc(text, func(edge string) string {
		label := strings.TrimSuffix(edge[1:], "] ")
		if n > 0 && s.Chance(0.7) {
			label = fmt.Sprintf("(@e%d & (%s)) | (!@e%d & (%s))", n-1, label, n-1, label)
		}
		fmt.Fprintf(&headers, "Alias: @e%d %s\n", n, label)
		n++
		return fmt.Sprintf("[@e%d] ", n-1)
	})
	return []byte(strings.Replace(text, "--BODY--\n", headers.String()+"--BODY--\n", 1))
}

// falseHints claims what only a look at all pairs of edges refutes, of states with up to a hundred
// thousand edges: all the same, or with labels of many propositions.
func falseHints(s Source, atoms []*twin.Atom) *Automata {
	names := atomNames(atoms)
	label := func() string { return "t" }
	most := 100_000
	if s.Chance(0.4) {
		for i := range s.Magnitude(2, 96) {
			names = append(names, fmt.Sprintf("%d <= %d", i, i+1))
		}
		most = 1_000_000 / len(names)
		label = func() string {
			literals := []string{"t"}
			for i := range names {
				if s.Chance(0.7) {
					literals = append(literals, Pick(s, "", "!")+fmt.Sprint(i))
				}
			}
			return strings.Join(literals, "&")
		}
	}
	var headers strings.Builder
	for range s.Between(1, 4) {
		headers.WriteString("properties: " + Pick(s, "", "", "", "!") + Pick(s, "unambiguous", "unambiguous", "unambiguous", "deterministic", "semi-deterministic", "complete") + "\n")
	}
	states := s.Magnitude(1, 20)
	a := hostileAutomaton(s, names, states, s.Magnitude(10, max(10, most/2))/states+1, 1, "Inf(0)", label)
	a.Text = []byte(strings.Replace(string(a.Text), "--BODY--\n", headers.String()+"--BODY--\n", 1))
	return a
}

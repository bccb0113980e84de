package draw

import (
	"fmt"
	"strings"

	"pnmc/internal/torture/twin"
)

// layer puts operators around a formula.
type layer func(f *twin.Formula) *twin.Formula

// Alternating draws a formula of branching time of so many layers, in which a few operators take turns:
// EF EX EF EX … p, or !EF !EF … p. What simplifies pairs of operators, or goes through all below a
// pair for each, meets one at each layer.
func Alternating(s Source, net *Net, depth int) *twin.Formula {
	atoms := Atoms(s, net, s.Between(1, 3))
	layers := []layer{negated, beside(s, atoms, twin.And, twin.Or, twin.Equivalent)}
	for _, paths := range []twin.Op{twin.AllPaths, twin.SomePath} {
		for _, op := range []twin.Op{twin.Next, twin.Finally, twin.Globally} {
			layers = append(layers, func(f *twin.Formula) *twin.Formula { return twin.Unary(paths, twin.Unary(op, f)) })
		}
		until := beside(s, atoms, twin.Until)
		layers = append(layers, func(f *twin.Formula) *twin.Formula { return twin.Unary(paths, until(f)) })
	}
	return inTurns(s, twin.Proposition(Pick(s, atoms...)), depth, layers)
}

// alternatingLTL draws as Alternating does, for linear time.
func alternatingLTL(s Source, net *Net, depth int) *twin.Formula {
	atoms := Atoms(s, net, s.Between(1, 3))
	layers := []layer{negated, beside(s, atoms, twin.And, twin.Or, twin.Until)}
	for _, op := range []twin.Op{twin.Next, twin.Finally, twin.Globally} {
		layers = append(layers, func(f *twin.Formula) *twin.Formula { return twin.Unary(op, f) })
	}
	return inTurns(s, twin.Proposition(Pick(s, atoms...)), depth, layers)
}

// alternatingBoolean draws as Alternating does, for predicates.
func alternatingBoolean(s Source, net *Net, depth int) *twin.Formula {
	atoms := Atoms(s, net, s.Between(1, 3))
	layers := []layer{negated, beside(s, atoms, twin.And), beside(s, atoms, twin.Or), beside(s, atoms, twin.Equivalent)}
	return inTurns(s, twin.Proposition(Pick(s, atoms...)), depth, layers)
}

func negated(f *twin.Formula) *twin.Formula { return twin.Unary(twin.Not, f) }

// beside returns a layer that draws one of the operators, and which side the formula is on.
func beside(s Source, atoms []*twin.Atom, operators ...twin.Op) layer {
	return func(f *twin.Formula) *twin.Formula {
		g := twin.Proposition(Pick(s, atoms...))
		if s.Chance(0.5) {
			f, g = g, f
		}
		return twin.Binary(Pick(s, operators...), f, g)
	}
}

// inTurns puts two to four of the layers around f, again and again.
func inTurns(s Source, f *twin.Formula, depth int, layers []layer) *twin.Formula {
	turn := make([]layer, s.Between(2, 4))
	for i := range turn {
		turn[i] = Pick(s, layers...)
	}
	for i := range depth {
		f = turn[i%len(turn)](f)
	}
	return f
}

// The twin decides formulas of so many layers at most. Its automata for linear time, whose formulas it
// writes without equivalences, bear a few only.
const (
	mostAlternating = 40
	mostLinear      = 4
)

// alternating has a few properties in which operators take turns, up to thousands of times.
func (p *Properties) alternating(s Source, examination string, net *Net) {
	p.nested(s, examination, net, func(linear, branching bool) (*twin.Formula, bool) {
		depth := s.Magnitude(2, 5000)
		if s.Chance(0.5) {
			depth = s.Between(2, mostAlternating)
		}
		switch {
		case linear:
			return alternatingLTL(s, net, depth), depth <= mostLinear
		case branching:
			return Alternating(s, net, depth), depth <= mostAlternating
		}
		return alternatingBoolean(s, net, depth), true
	})
}

// equivalences has a few properties with equivalences in equivalences, below temporal operators or
// around them.
func (p *Properties) equivalences(s Source, examination string, net *Net) {
	p.nested(s, examination, net, func(linear, branching bool) (*twin.Formula, bool) {
		f := Equivalences(s, net)
		switch {
		case linear:
			return twin.Unary(Pick(s, twin.Globally, twin.Finally), f), f.Size() <= 2*mostLinear
		case branching:
			for range s.Magnitude(1, 60) {
				g := twin.Unary(Pick(s, twin.AllPaths, twin.SomePath), twin.Unary(Pick(s, twin.Next, twin.Finally, twin.Globally), Equivalences(s, net)))
				f = twin.Binary(twin.Equivalent, f, g)
			}
			return f, f.Size() <= 200
		}
		return f, true
	})
}

// nested has one property or a few, each of a formula that formula draws for linear or branching time, or
// else of predicates. Unless it says that the twin can decide it, the twin is not asked.
func (p *Properties) nested(s Source, examination string, net *Net, formula func(linear, branching bool) (f *twin.Formula, known bool)) {
	if examination == "UpperBounds" {
		p.small(s, examination, net)
		return
	}
	p.Asked = map[string]Question{}
	var b strings.Builder
	b.WriteString(propertiesHead)
	for i := range s.Between(1, 4) {
		id := fmt.Sprintf("net-%s-%02d", examination, i)
		linear, branching := strings.HasPrefix(examination, "LTL"), strings.HasPrefix(examination, "CTL")
		f, known := formula(linear, branching)
		switch {
		case linear:
			f = twin.Unary(twin.AllPaths, f)
		case branching:
		case s.Chance(0.5):
			f = twin.Unary(twin.SomePath, twin.Unary(twin.Finally, f))
		default:
			f = twin.Unary(twin.AllPaths, twin.Unary(twin.Globally, f))
		}
		p.Asked[id] = Question{}
		if known {
			p.Asked[id] = Question{Formula: f}
		}
		property(&b, id, func() { f.XML(&b) })
	}
	b.WriteString("</property-set>\n")
	p.Text = []byte(b.String())
}

package ltl

import (
	"pnmc/logic"
	"pnmc/logic/internal/reading"
)

// Import makes in s the formula that f is in from. Propositions that s does not
// know yet are numbered in the order in which they occur in f.
func (s *Formulas) Import(f *Formula, from *Formulas) *Formula {
	return s.ImportAs(f, from, nil)
}

// ImportWithin imports as Import does, and asks the limit before each formula is made, which may have far
// more operands than its text. It returns a *LimitError with the error of the limit.
func (s *Formulas) ImportWithin(limit logic.Limit, f *Formula, from *Formulas) (*Formula, error) {
	i := importer{formulas: s, from: from, limit: limit, done: map[*Formula]*Formula{}}
	return i.imported(f)
}

// ImportAs imports as Import does, with the names that rename, if set, gives to the
// propositions.
func (s *Formulas) ImportAs(f *Formula, from *Formulas, rename func(name string) string) *Formula {
	i := importer{formulas: s, from: from, rename: rename, done: map[*Formula]*Formula{}}
	g, _ := i.imported(f) // nothing limits it
	return g
}

// importer makes formulas of others.
type importer struct {
	formulas, from *Formulas
	rename         func(string) string   // or nil
	limit          logic.Limit           // or nil
	done           map[*Formula]*Formula // what was made before, so that shared subformulas cost nothing
}

// imported makes f, a formula of from, among the others.
func (i *importer) imported(f *Formula) (*Formula, error) {
	if g, known := i.done[f]; known {
		return g, nil
	}
	if err := reading.Limit(i.limit).Charge(formulaBytes + operandBytes*len(f.operands)); err != nil {
		return nil, err
	}
	var g *Formula
	if f.operator == Atom {
		name := i.from.names[f.atom]
		if i.rename != nil {
			name = i.rename(name)
		}
		g = i.formulas.Atom(name)
	} else {
		operands := make([]*Formula, len(f.operands))
		for k, o := range f.operands {
			var err error
			if operands[k], err = i.imported(o); err != nil {
				return nil, err
			}
		}
		if err := reading.Limit(i.limit).Charge(operandBytes * len(operands)); err != nil { // those below are made by now
			return nil, err
		}
		g = i.formulas.Make(f.operator, operands)
	}
	i.done[f] = g
	return g, nil
}

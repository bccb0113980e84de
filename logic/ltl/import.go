package ltl

// Import makes in s the formula that f is in from. Propositions that s does not
// know yet are numbered in the order in which they occur in f.
func (s *Formulas) Import(f *Formula, from *Formulas) *Formula {
	return s.ImportAs(f, from, func(name string) string { return name })
}

// ImportAs imports as Import does, with the names that rename gives to the
// propositions.
func (s *Formulas) ImportAs(f *Formula, from *Formulas, rename func(name string) string) *Formula {
	return s.imported(f, from, rename, map[*Formula]*Formula{})
}

// imported makes f, a formula of from, among the formulas of s. Done has what was made before, so
// that shared subformulas cost nothing.
func (s *Formulas) imported(f *Formula, from *Formulas, rename func(string) string, done map[*Formula]*Formula) *Formula {
	if g, known := done[f]; known {
		return g
	}
	var g *Formula
	if f.operator == Atom {
		g = s.Atom(rename(from.names[f.atom]))
	} else {
		operands := make([]*Formula, len(f.operands))
		for i, o := range f.operands {
			operands[i] = s.imported(o, from, rename, done)
		}
		g = s.Make(f.operator, operands)
	}
	done[f] = g
	return g
}

package automata

import "slices"

// DetectClaims finds which claims are true of a plain automaton, as far as its
// structure shows: it says nothing of stutter invariance, which is a property of
// the language. Quadratic in the cubes of a state.
func DetectClaims(a *Automaton) Claims {
	var claims Claims
	if IsDeterministic(a) {
		claims |= ClaimDeterministic | ClaimUnambiguous | ClaimSemiDeterministic
	}
	if isComplete(a) {
		claims |= ClaimComplete
	}
	c := FindComponents(a)
	strengths := Strengths(a, c)
	if slices.Contains(strengths, Strong) {
		return claims
	}
	claims |= ClaimInherentlyWeak
	if !UniformMarks(a, c) {
		return claims
	}
	claims |= ClaimWeak
	if c.VeryWeak() {
		claims |= ClaimVeryWeak
	}
	if !slices.Contains(strengths, Weak) {
		claims |= ClaimTerminal
	}
	return claims
}

// isComplete tells whether every state has an edge for each valuation.
func isComplete(a *Automaton) bool {
	if len(a.initial) == 0 {
		return false
	}
	for s := range State(a.States()) {
		var union Label
		for e, end := a.Out(s); e < end; e++ {
			for i := range a.Cubes(e) {
				union = append(union, a.Cube(e, i))
			}
		}
		if !union.Valid() {
			return false
		}
	}
	return true
}

// UniformMarks tells whether the edges within each component have the same marks.
func UniformMarks(a *Automaton, c *Components) bool {
	for n := range c.Count() {
		edges := insideEdges(a, c, Component(n))
		for _, e := range edges {
			if !slices.Equal(a.Marks(e), a.Marks(edges[0])) {
				return false
			}
		}
	}
	return true
}

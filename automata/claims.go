package automata

import (
	"context"
	"slices"
)

// DetectClaims finds which claims are true of a plain automaton, as far as its
// structure shows: it says nothing of stutter invariance, which is a property of the
// language. If something is too hard to find out, it is not claimed.
func DetectClaims(ctx context.Context, a *Automaton) Claims {
	var claims Claims
	if deterministic, _ := IsDeterministic(ctx, a); deterministic {
		claims |= ClaimDeterministic | ClaimUnambiguous | ClaimSemiDeterministic
	}
	if complete, _ := IsComplete(ctx, a); complete {
		claims |= ClaimComplete
	}
	c := FindComponents(a)
	strengths := Strengths(ctx, a, c)
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

// UniformMarks reports whether the edges within each component have the same marks.
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

package automata

import (
	"context"
	"slices"

	"pnmc/automata/internal/effort"
)

// claimWork is how many words of cubes are compared to find out whether an automaton is
// deterministic: some tenths of a second.
const claimWork = 1 << 28

// DetectClaims finds which claims are true of a plain automaton, as far as its
// structure shows: it says nothing of stutter invariance, which is a property of
// the language. Quadratic in the cubes of a state; what is too hard to find out is not
// claimed.
func DetectClaims(ctx context.Context, a *Automaton) Claims {
	var claims Claims
	if IsDeterministicWithin(ctx, a, claimWork) {
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

// IsComplete reports whether every state has an edge for each valuation. An error tells
// that it is too hard to find out, or is that of the context.
func IsComplete(ctx context.Context, a *Automaton) (bool, error) {
	if len(a.initial) == 0 {
		return false, nil
	}
	covering := effort.New(ctx, validWork)
	for s := range State(a.States()) {
		var union Label
		for e, end := a.Out(s); e < end; e++ {
			for i := range a.Cubes(e) {
				union = append(union, a.Cube(e, i))
			}
		}
		if !union.valid(covering) {
			return false, covering.Err
		}
	}
	return true, nil
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

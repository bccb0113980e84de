package automata

// NextMeeting looks at the edges of b from f on and before end; b must have the same
// propositions. It returns the first one whose label has a valuation in common with that
// of e, or end if there is none. Nothing but the labels is looked at.
func (a *Automaton) NextMeeting(e Edge, b *Automaton, f, end Edge) Edge {
	words := a.cubeWords
	left := a.cubes[2*words*int(a.cubeStart[e]) : 2*words*int(a.cubeStart[e+1])]
	if words == 1 && len(left) == 2 {
		// The cubes of consecutive edges are consecutive: the edge is looked for
		// after the cube is found.
		care, value := left[0], left[1]
		right := b.cubes[2*b.cubeStart[f] : 2*b.cubeStart[end]]
		for i := 0; i+1 < len(right); i += 2 {
			if (value^right[i+1])&care&right[i] == 0 {
				cube := b.cubeStart[f] + uint32(i/2)
				for b.cubeStart[f+1] <= cube {
					f++
				}
				return f
			}
		}
		return end
	}
	for ; f < end; f++ {
		for i := range a.Cubes(e) {
			for j := range b.Cubes(f) {
				if a.Cube(e, i).Intersects(b.Cube(f, j)) {
					return f
				}
			}
		}
	}
	return end
}

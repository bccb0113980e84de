package bdd

import (
	"pnmc/automata"
	"pnmc/internal/bitset"
)

// cubesPerProposition is the number of cubes for each proposition above which a label's function
// is made by splitting its cubes, and not by their disjunction one by one. So many cubes mostly
// overlap little, as those of all valuations with an even number of propositions.
const cubesPerProposition = 4

// propositionsOf returns how many propositions the cubes of a label have room for.
func (f *Functions) propositionsOf(l automata.Label) int {
	if len(l) == 0 {
		return 0
	}
	return min(f.propositions, 32*len(l[0]))
}

// ofCubes returns the disjunction of cubes without their literals of propositions below from. It
// splits them by the first proposition that occurs, and changes their order.
//
// Why not one by one: the 2^(n-1) valuations of n propositions with an even number of true ones
// have a diagram of 2n-1 nodes and the constants. The disjunction of only some of these valuations
// may be far larger. So the list is split rather than added up: each call sees all the cubes that
// are possible under the values chosen above it.
//
// For example, p0 & p1 | !p0 & p2 | p1 & p2 is split by p0 into !p0: {p2}, p0: {p1} and the rest
// {p1 & p2}, which holds whatever p0 is. The result is Choice(p0, p2 | rest, p1 | rest).
//
// The recursion is as deep as there are propositions, and on each level looks at each cube once.
func (f *Functions) ofCubes(cubes []automata.Cube, from int) Function {
	if len(cubes) == 0 || !f.step() {
		return FalseFunction
	}
	p, some := firstLiteral(cubes, from)
	if !some {
		return TrueFunction
	}
	// Cubes with the negated proposition come first, those without it last.
	low, high := 0, len(cubes)
	for i := 0; i < high; {
		switch occurs, positive := cubes[i].Literal(p); {
		case !occurs:
			high--
			cubes[i], cubes[high] = cubes[high], cubes[i]
		case positive:
			i++
		default:
			cubes[i], cubes[low] = cubes[low], cubes[i]
			low++
			i++
		}
	}
	rest := f.ofCubes(cubes[high:], p+1)
	negated, positive := f.ofCubes(cubes[:low], p+1), f.ofCubes(cubes[low:high], p+1)
	return f.Choice(uint32(p), f.Or(negated, rest), f.Or(positive, rest))
}

// firstLiteral returns the first proposition from one on that occurs in some cube. It reports
// false if one of the cubes has no literal any more: that cube is true, and so is the disjunction.
func firstLiteral(cubes []automata.Cube, from int) (p int, some bool) {
	first := 32 * len(cubes[0])
	for _, c := range cubes {
		p, some := bitset.First(c[:len(c)/2], from)
		if !some {
			return 0, false
		}
		first = min(first, p)
	}
	return first, true
}

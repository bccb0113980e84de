package complement

import (
	"math"
	"math/bits"

	"pnmc/automata"
	"pnmc/automata/internal/effort"
)

// letterCube is a cube of the label of an edge of one of the states reached.
type letterCube struct {
	edge automata.Edge
	cube automata.Cube
	open int // its literals that the path does not have
}

// forEachLetter calls visit for sets of valuations within the cube, given as disjoint
// cubes, that match the same edges out of the states. It gives these edges in ascending order.
//
// A complement asks for the successors of a set of states letter by letter, but n propositions have
// 2^n letters, and most of them take the same edges. So valuations are split only as long as they
// must be: by a proposition of some cube that leaves open whether its edge is taken.
//
// For example, of an edge e labelled a & b and an edge f labelled a. By a: under !a neither is
// taken, and the path !a is one letter. Under a, f is taken, and e is open in b: the letters a & !b
// with f, and a & b with both. So there are three letters rather than four.
//
// One set of edges may come with several paths. At worst it is exponential in the propositions of
// the labels.
func (c *Complementation) forEachLetter(states []automata.State, within automata.Cube, visit func(taken []automata.Edge, path automata.Cube) error) error {
	var cubes []letterCube
	for _, s := range states {
		for e, end := c.buchi.Out(s); e < end; e++ {
			for i := range c.buchi.Cubes(e) {
				if cube := c.buchi.Cube(e, i); cube.Intersects(within) {
					cubes = append(cubes, letterCube{edge: e, cube: cube})
				}
			}
		}
	}
	bound := c.letters
	if bound == nil {
		bound = effort.New(c.ctx, math.MaxInt)
	}
	return splitLetters(bound, cubes, within, visit)
}

// splitLetters visits letters as forEachLetter does, for cubes that all have a valuation within path, those
// of one edge being neighbours. It counts their literals beyond the path, and ends with the
// effort, too.
func splitLetters(e *effort.Bound, cubes []letterCube, path automata.Cube, visit func([]automata.Edge, automata.Cube) error) error {
	half := len(path) / 2
	if !e.Spend(2 * len(cubes) * len(path)) {
		return e.Err
	}
	for i, x := range cubes {
		cubes[i].open = 0
		for w := range half {
			cubes[i].open += bits.OnesCount64(x.cube[w] &^ path[w])
		}
	}
	return splitCounted(e, cubes, path, visit)
}

// splitCounted splits as splitLetters does, for cubes with their numbers of open literals. So it
// looks at one literal of a cube for each proposition of the path. That matters for clauses, which
// have thousands of both.
func splitCounted(e *effort.Bound, cubes []letterCube, path automata.Cube, visit func([]automata.Edge, automata.Cube) error) error {
	if !e.Spend(16*len(cubes) + len(path)) {
		return e.Err
	}
	var taken []automata.Edge
	for _, x := range cubes {
		if x.open == 0 && (len(taken) == 0 || taken[len(taken)-1] != x.edge) {
			taken = append(taken, x.edge)
		}
	}
	// The first cube that leaves open whether its edge is taken.
	open, before := 0, taken
	for ; open < len(cubes); open++ {
		for len(before) > 0 && before[0] < cubes[open].edge {
			before = before[1:]
		}
		if len(before) == 0 || before[0] != cubes[open].edge {
			break
		}
	}
	if open == len(cubes) {
		return visit(taken, path)
	}
	p := firstBeyond(cubes[open].cube, path)
	for _, value := range [2]bool{false, true} {
		rest := make([]letterCube, 0, len(cubes))
		for _, x := range cubes {
			occurs, positive := x.cube.Literal(p)
			if occurs && positive != value {
				continue
			}
			if occurs {
				x.open--
			}
			rest = append(rest, x)
		}
		if err := splitCounted(e, rest, path.With(p, value), visit); err != nil {
			return err
		}
	}
	return nil
}

// firstBeyond returns the first proposition that has a literal in c and none in path, or -1 if
// there is none.
func firstBeyond(c, path automata.Cube) int {
	for i := range len(c) / 2 {
		if more := c[i] &^ path[i]; more != 0 {
			return 64*i + bits.TrailingZeros64(more)
		}
	}
	return -1
}

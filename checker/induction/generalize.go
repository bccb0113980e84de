package induction

import (
	"slices"

	"pnmc/internal/arithmetic"
	"pnmc/logic"
)

// Bounds on the tries to make an excluded cube larger.
const (
	maxDrops    = 12 // comparisons of a cube, of which each is tried to be dropped
	maxWeakened = 4  // comparisons of a cube, of which each is tried to be weakened
)

// learn excludes a cube from a frame, after it was made larger. No firing leads into the cube from the
// frame before.
func (d *directed) learn(c Cube, frame int) error {
	c, err := d.larger(c, frame-1)
	if err != nil {
		return err
	}
	for frame < d.last {
		before, core, err := d.leadsInto(c, frame)
		if err != nil {
			return err
		}
		if before != nil {
			break
		}
		c, frame = core, frame+1
	}
	return d.add(clause{c, frame})
}

// larger returns a cube with all markings of c, and perhaps more, into which no firing leads from a frame,
// and which does not have the initial marking.
func (d *directed) larger(c Cube, frame int) (Cube, error) {
	if len(c) <= maxDrops {
		for i := 0; i < len(c) && len(c) > 1; {
			core, err := d.tried(slices.Delete(slices.Clone(c), i, i+1), frame)
			if err != nil {
				return nil, err
			}
			if core == nil {
				i++
			} else { // what is left of the comparisons before was tried
				c, i = core, min(i, len(core))
			}
		}
	}
	if len(c) > maxWeakened {
		return c, nil
	}
	for i := 0; i < len(c); i++ {
		weaker, ok := d.weakest(c[i])
		if !ok {
			continue
		}
		try := slices.Clone(c)
		try[i] = weaker
		core, err := d.tried(try, frame)
		if err != nil {
			return nil, err
		}
		if core != nil {
			c = core
		}
	}
	return c, nil
}

// tried returns c, or a larger cube, if no firing leads into it from the frame, and the initial marking is
// not in it. Otherwise it returns nil.
func (d *directed) tried(c Cube, frame int) (Cube, error) {
	if c.Contains(d.initial) {
		return nil, nil
	}
	before, core, err := d.leadsInto(c, frame)
	if err != nil || before != nil {
		return nil, err
	}
	return core, nil
}

// weakest returns the weakest comparison with the terms of s that the initial marking does not satisfy. It
// reports false if s is that, or if the initial marking satisfies s.
func (d *directed) weakest(s logic.Sum) (logic.Sum, bool) {
	value, ok := logic.Polynomial{Sum: s}.Value(d.initial)
	if !ok || value <= 1 {
		return s, false
	}
	s.Constant, ok = arithmetic.Add(s.Constant, 1-value)
	return s, ok
}

// withoutInitial returns core, with one comparison of c more if the initial marking satisfies all of core. C does
// not have that marking.
func (d *directed) withoutInitial(core, c Cube) Cube {
	if !core.Contains(d.initial) {
		return core
	}
	i := slices.IndexFunc(c, func(s logic.Sum) bool { return !contains(s, d.initial) })
	if i < 0 {
		return c
	}
	larger, _ := normal(append(slices.Clone(core), c[i]))
	return larger
}

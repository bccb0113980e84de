package symbolic

import (
	"encoding/binary"
	"maps"
	"math"
	"slices"

	"pnmc/logic"
)

// A polynomialComparison builds the condition that a polynomial is at most zero, or equal to it. It
// goes from the topmost variable down, as a sumComparison does, with a partial value for each sum
// of the polynomial instead of one for all.
//
// For example, p·q - 6 ≤ 0 has the constant part -6, and a product of two sums, p and q. With q
// above p, the node of q has for each value of q the partial values (0, q). For q = 0 the product
// is 0 whatever p is, so that the result is always. For q = 2 the node of p is wanted: p ≤ 3. For q
// = 7 it is p = 0.
//
// The result is known early if the intervals of values that the sums may still take leave one sign
// only. Their product is an interval too: its ends are among the four products of ends (span).
//
// Partial values can be as many as combinations of values, since nothing but chance makes them
// equal. So the number of values that are tried is bounded, and the predicate is given up beyond.
type polynomialComparison struct {
	b         *predicateBuilder
	equal     bool
	variables []polynomialVariable // descending by level
	products  []indexedProduct
	// least[i] and most[i] are what the variables from i on can add to each sum.
	least, most [][]int64
	done        map[string]condition
	looked      int
}

// A polynomialVariable is what a variable adds to each sum. Its values are at most bound.
type polynomialVariable struct {
	level, bound uint32
	adds         []weighting
}

// An indexedProduct is a coefficient times some of the sums.
type indexedProduct struct {
	coefficient int64
	factors     []int
}

// polynomial returns the condition that p is at most zero, or equal to it. It stops with
// ErrCondition if numbers need more than 61 bits, or more than maximalConditions values are tried.
func (b *predicateBuilder) polynomial(p logic.Polynomial, equal bool) condition {
	c := polynomialComparison{b: b, equal: equal, done: map[string]condition{}}
	sums := []logic.Sum{p.Sum}
	c.products = []indexedProduct{{1, []int{0}}}
	for _, product := range p.Products {
		next := indexedProduct{coefficient: product.Coefficient}
		for _, f := range product.Factors {
			next.factors = append(next.factors, len(sums))
			sums = append(sums, f)
		}
		c.products = append(c.products, next)
	}
	magnitudes := c.read(sums)
	total := 0.0
	for _, product := range c.products {
		size := math.Abs(float64(product.coefficient))
		for _, f := range product.factors {
			size *= magnitudes[f]
		}
		total += size
	}
	if total > 1<<61 {
		panic(stop{ErrCondition})
	}
	values := make([]int64, len(sums))
	for j, s := range sums {
		values[j] = s.Constant
	}
	return c.from(0, values)
}

// read lays out the variables of sums, and returns how large each sum may get on the way.
func (c *polynomialComparison) read(sums []logic.Sum) (magnitudes []float64) {
	byVariable := make(map[uint32]*polynomialVariable)
	for j, s := range sums {
		magnitude := math.Abs(float64(s.Constant))
		for _, t := range s.Terms {
			code := c.b.space.System.code(t.Place)
			v := byVariable[code.Variable]
			if v == nil {
				v = &polynomialVariable{level: uint32(c.b.space.Levels[code.Variable]), bound: c.b.space.Bounds[code.Variable], adds: make([]weighting, len(sums))}
				byVariable[code.Variable] = v
			}
			v.adds[j].add(code, t.Coefficient)
			magnitude += math.Abs(float64(t.Coefficient)) * max(1, float64(v.bound))
		}
		magnitudes = append(magnitudes, max(1, magnitude))
		if magnitude > 1<<61 {
			panic(stop{ErrCondition})
		}
	}
	variables := slices.Collect(maps.Values(byVariable))
	slices.SortFunc(variables, func(x, y *polynomialVariable) int { return int(y.level) - int(x.level) })
	c.least, c.most = make([][]int64, len(variables)+1), make([][]int64, len(variables)+1)
	last := len(variables)
	c.least[last], c.most[last] = make([]int64, len(sums)), make([]int64, len(sums))
	for i := last - 1; i >= 0; i-- {
		c.least[i], c.most[i] = slices.Clone(c.least[i+1]), slices.Clone(c.most[i+1])
		for j := range sums {
			one := levelTerm{bound: variables[i].bound, weighting: variables[i].adds[j]}
			least, most := one.extremes()
			c.least[i][j] += least
			c.most[i][j] += most
		}
	}
	for _, v := range variables {
		c.variables = append(c.variables, *v)
	}
	return magnitudes
}

// from returns the condition that the polynomial compares with zero, once the variables before i
// have brought the sums to values.
func (c *polynomialComparison) from(i int, values []int64) condition {
	least, most := int64(0), int64(0)
	for _, p := range c.products {
		low, high := p.coefficient, p.coefficient
		for _, f := range p.factors {
			low, high = span(low, high, values[f]+c.least[i][f], values[f]+c.most[i][f])
		}
		least, most = least+low, most+high
	}
	switch {
	case least > 0, c.equal && most < 0:
		return never
	case !c.equal && most <= 0, c.equal && least == 0 && most == 0:
		return always
	case i == len(c.variables): // both ends are the value
		return never
	}
	key := binary.LittleEndian.AppendUint32(nil, uint32(i))
	for _, v := range values {
		key = binary.LittleEndian.AppendUint64(key, uint64(v))
	}
	if r, ok := c.done[string(key)]; ok {
		return r
	}
	t := &c.variables[i]
	var parts []part
	for v := uint32(0); ; v++ {
		c.b.table.forest.poll()
		if c.looked++; c.looked > maximalConditions {
			panic(stop{ErrCondition})
		}
		sums := slices.Clone(values)
		for j := range sums {
			sums[j] += t.adds[j].small(v)
		}
		next := c.from(i+1, sums)
		if v >= t.bound {
			parts = append(parts, part{noLimit, next}) // values beyond bound do not occur
			break
		}
		parts = withPart(parts, v, next)
	}
	r := c.b.table.node(t.level, parts)
	c.done[string(key)] = r
	return r
}

// span returns the least and the largest product of a number from low to high and one from least to
// most.
func span(low, high, least, most int64) (first, last int64) {
	ends := [4]int64{low * least, low * most, high * least, high * most}
	return slices.Min(ends[:]), slices.Max(ends[:])
}

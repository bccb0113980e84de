package bdd

import (
	"errors"
	"fmt"
	"math/bits"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"pnmc/automata"
	"pnmc/internal/automatatest"
)

// truthTable returns the label's value for every valuation of up to 6 propositions.
func truthTable(l automata.Label, propositions int) (table uint64) {
	for v := range uint64(1) << propositions {
		if l.Matches(automata.Valuation{v}) {
			table |= 1 << v
		}
	}
	return table
}

func TestFunctionsAgreeWithTruthTables(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 6).Draw(t, "propositions")
		mask := ^uint64(0) >> (64 - 1<<n)
		l, m := automatatest.DrawLabel(t, n), automatatest.DrawLabel(t, n)
		f := New(n, 1000)
		g, h := f.Of(l), f.Of(m)
		x, y := truthTable(l, n), truthTable(m, n)
		for _, c := range []struct {
			name string
			got  Function
			want uint64
		}{
			{"label", g, x}, {"and", f.And(g, h), x & y}, {"or", f.Or(g, h), x | y},
			{"xor", f.Xor(g, h), x ^ y}, {"not", f.Not(g), ^x & mask},
		} {
			back, err := f.Label(c.got)
			if err != nil {
				t.Fatal(err)
			}
			if table := truthTable(back, n); table != c.want {
				t.Fatalf("%s: %x, want %x", c.name, table, c.want)
			}
			if f.Of(back) != c.got {
				t.Fatalf("%s: the sum of products has another node", c.name)
			}
			irredundant(t, back, n)
		}
		for _, c := range []struct {
			left, right Function
			want        bool
		}{
			{g, h, x&^y == 0}, {h, g, y&^x == 0}, {f.And(g, h), h, true}, {g, f.Or(g, h), true},
			{f.Or(g, h), f.And(g, h), x == y}, {f.Not(g), f.Not(h), y&^x == 0},
		} {
			if f.Implies(c.left, c.right) != c.want {
				t.Fatalf("of tables %x and %x, %d implies %d: want %v", x, y, c.left, c.right, c.want)
			}
		}
		if (g == h) != (x == y) {
			t.Fatalf("functions %d and %d of tables %x and %x", g, h, x, y)
		}
	})
}

// plainSum returns the sum as Minato has it, without what saves work.
func plainSum(f *Functions, cube automata.Cube, label *automata.Label, lower, upper Function) Function {
	switch {
	case lower == FalseFunction:
		return FalseFunction
	case upper == TrueFunction:
		*label = append(*label, slices.Clone(cube))
		return TrueFunction
	}
	v := min(f.nodes[lower].variable, f.nodes[upper].variable)
	lower0, lower1 := f.cofactors(lower, v)
	upper0, upper1 := f.cofactors(upper, v)
	only0 := plainSum(f, cube.With(int(v), false), label, f.Minus(lower0, upper1), upper0)
	only1 := plainSum(f, cube.With(int(v), true), label, f.Minus(lower1, upper0), upper1)
	rest := f.Or(f.Minus(lower0, only0), f.Minus(lower1, only1))
	both := plainSum(f, cube, label, rest, f.And(upper0, upper1))
	return f.Choice(v, f.Or(only0, both), f.Or(only1, both))
}

// TestLabelIsThePlainSum compares labels cube by cube.
func TestLabelIsThePlainSum(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 6).Draw(t, "propositions")
		f := New(n, 10_000)
		g := f.Of(automatatest.DrawLabel(t, n))
		if rapid.Bool().Draw(t, "both") {
			g = f.Or(f.And(g, f.Proposition(0)), f.Of(automatatest.DrawLabel(t, n)))
		}
		var want automata.Label
		plainSum(f, automata.NewCube(n), &want, g, g)
		got, err := f.Label(g)
		if err != nil || !slices.EqualFunc(got, want, slices.Equal) {
			t.Fatalf("%v, %v; want %v", got, err, want)
		}
		within, err := f.LabelWithin(g, n, len(want))
		if err != nil || !slices.EqualFunc(within, want, slices.Equal) {
			t.Fatalf("within %d cubes %v, %v; want %v", len(want), within, err, want)
		}
		if len(want) > 1 {
			if less, err := f.LabelWithin(g, n, len(want)-1); less != nil || err != nil {
				t.Fatalf("within %d cubes %v, %v", len(want)-1, less, err)
			}
		}
	})
}

// TestCubesAreSplit: a function made by splitting cubes is that made cube by cube.
func TestCubesAreSplit(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 6).Draw(t, "propositions")
		var l automata.Label
		for range rapid.IntRange(0, 6).Draw(t, "labels") {
			l = append(l, automatatest.DrawLabel(t, n)...)
		}
		f := New(n, 10_000)
		want := FalseFunction
		for _, c := range l {
			want = f.Or(want, f.Cube(c))
		}
		if got := f.ofCubes(slices.Clone(l), 0); got != want || f.Of(l) != want || f.Err() != nil {
			t.Fatalf("%v: function %d, want %d, %v", l, got, want, f.Err())
		}
	})
}

// TestParityIsReadInOneStepForEachCube: valuations are read without disjunctions of them.
func TestParityIsReadInOneStepForEachCube(t *testing.T) {
	const n = 12
	var l automata.Label
	for v := range uint64(1) << n {
		if bits.OnesCount64(v)%2 == 0 {
			l = append(l, automata.Cube{1<<n - 1, v})
		}
	}
	f := New(n, 1<<20)
	g := f.Of(l)
	if share := f.Share(g); share != 0.5 || f.Nodes() > 3*n || f.Steps > 3*len(l) {
		t.Errorf("share %g of valuations, %d nodes, %d steps for %d cubes", share, f.Nodes(), f.Steps, len(l))
	}
}

// TestLabelOfAChainIsQuick: (x0 | y1 & (x1 | y2 & …)) & y0 is a sum of a cube for each x,
// in an order in which each cube is as long as its number.
func TestLabelOfAChainIsQuick(t *testing.T) {
	const n = 100
	f := New(2*n, 1<<20)
	g := FalseFunction
	for i := n - 1; i >= 0; i-- {
		g = f.And(f.Proposition(2*n-1-i), f.Or(f.Proposition(i), g))
	}
	before := f.Steps
	l, err := f.Label(g)
	if err != nil || len(l) != n {
		t.Fatalf("%d cubes, %v", len(l), err)
	}
	if steps := f.Steps - before; steps > 10*n*n {
		t.Errorf("%d steps for %d cubes of at most %d literals", steps, n, n+1)
	}
}

// irredundant fails when a cube or a literal of l can be left out.
func irredundant(t *rapid.T, l automata.Label, n int) {
	whole := truthTable(l, n)
	for i := range l {
		without := append(append(automata.Label(nil), l[:i]...), l[i+1:]...)
		if truthTable(without, n) == whole {
			t.Fatalf("cube %d of %v is redundant", i, l)
		}
		for p := range n {
			if occurs, _ := l[i].Literal(p); !occurs {
				continue
			}
			wider := append(automata.Cube(nil), l[i]...)
			wider[0] &^= 1 << p
			wider[1] &^= 1 << p
			if truthTable(append(without, wider), n) == whole {
				t.Fatalf("literal %d of cube %d of %v is redundant", p, i, l)
			}
		}
	}
}

func TestFunctionsLimit(t *testing.T) {
	// (p0 & p20) | (p1 & p21) | … in this order has 2^20 nodes.
	f := New(40, 10_000)
	g := FalseFunction
	for i := range 20 {
		g = f.Or(g, f.And(f.Proposition(i), f.Proposition(20+i)))
	}
	if !errors.Is(f.Err(), ErrTooLarge) || f.Nodes() > 10_000 {
		t.Errorf("error %v, %d nodes", f.Err(), f.Nodes())
	}
	f.Reset()
	if l, err := f.Label(f.Proposition(3)); err != nil || len(l) != 1 {
		t.Errorf("after Reset: %v, %v", l, err)
	}
	// The parity of 30 propositions has few nodes and 2^29 cubes.
	g = FalseFunction
	for i := range 30 {
		g = f.Xor(g, f.Proposition(i))
	}
	if f.Err() != nil {
		t.Fatal(f.Err())
	}
	if _, err := f.Label(g); !errors.Is(err, ErrTooLarge) {
		t.Errorf("parity: %v", err)
	}
}

func TestFunctionsManyPropositions(t *testing.T) {
	f := New(1000, 100_000)
	g := FalseFunction
	for p := 999; p >= 0; p-- { // upwards each step would copy the chain
		g = f.Or(g, f.Proposition(p))
	}
	l, err := f.Label(f.Not(g))
	if err != nil || len(l) != 1 || l[0].Literals() != 1000 {
		t.Errorf("%d cubes, %v", len(l), err)
	}
}

func ExampleFunctions_Label() {
	f := New(3, 100)
	a, b, c := f.Proposition(0), f.Proposition(1), f.Proposition(2)
	// a & (b | c) | a & !b & !c
	l, err := f.Label(f.Or(f.And(a, f.Or(b, c)), f.And(a, f.And(f.Not(b), f.Not(c)))))
	occurs, positive := l[0].Literal(0)
	fmt.Println(len(l), l[0].Literals(), occurs, positive, err)
	// Output: 1 1 true true <nil>
}

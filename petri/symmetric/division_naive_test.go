package symmetric

import (
	"context"
	"fmt"
	"runtime"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"pnmc/internal/account"
	"pnmc/internal/automatatest"
)

// naiveDivisions are the twin of divisions: blocks are written down from the start, and split in
// maps, without limits.
type naiveDivisions struct {
	places    [][]*naiveDivision
	variables [][]*naiveDivision
	changed   bool
	rounds    int
}

type naiveDivision struct {
	block []int32
	count int32
	told  bool
	least []int64
}

func naiveDivide(net *Net) *naiveDivisions {
	d := &naiveDivisions{changed: true}
	fresh := func(c *Class) *naiveDivision {
		if c.Size == 1 || c.Size > mostDivided {
			return &naiveDivision{told: true}
		}
		return &naiveDivision{block: make([]int32, c.Size), count: 1}
	}
	for p := range net.Places {
		var list []*naiveDivision
		for _, c := range net.Places[p].Domain {
			list = append(list, fresh(c))
		}
		d.places = append(d.places, list)
	}
	for t := range net.Transitions {
		var list []*naiveDivision
		for _, v := range net.Transitions[t].Variables {
			list = append(list, fresh(v.Class))
		}
		d.variables = append(d.variables, list)
	}
	for ; d.changed; d.rounds++ {
		d.changed = false
		for t := range net.Transitions {
			d.transition(net, t)
		}
	}
	merges := false
	for _, list := range slices.Concat(d.places, d.variables) {
		for _, x := range list {
			x.settle()
			merges = merges || !x.told
		}
	}
	if !merges {
		return nil
	}
	return d
}

func (d *naiveDivisions) tell(x *naiveDivision) {
	if !x.told {
		x.told, x.block = true, nil
		d.changed = true
	}
}

func (d *naiveDivisions) split(x *naiveDivision, key func(colour int64) int64) {
	if x.told {
		return
	}
	type pair struct {
		block int32
		key   int64
	}
	numbers := make(map[pair]int32)
	block := make([]int32, len(x.block))
	for colour, old := range x.block {
		k := pair{old, key(int64(colour))}
		number, ok := numbers[k]
		if !ok {
			number = int32(len(numbers))
			numbers[k] = number
		}
		block[colour] = number
	}
	if len(numbers) == int(x.count) {
		return
	}
	x.block, x.count = block, int32(len(numbers))
	d.changed = true
	if int(x.count) == len(block) || d.rounds > mostRounds {
		d.tell(x)
	}
}

func (x *naiveDivision) key(steps, size int64) func(int64) int64 {
	return func(colour int64) int64 {
		if colour += steps; colour >= size {
			colour -= size
		}
		if x.told {
			return colour
		}
		return int64(x.block[colour])
	}
}

func (d *naiveDivisions) transition(net *Net, number int) {
	t := &net.Transitions[number]
	variables := d.variables[number]
	if t.Guard != nil {
		d.guard(t.Guard, variables)
	}
	uses := make([]int, len(variables))
	for _, a := range t.Pre {
		for _, m := range a.Expression {
			alone := m.Coefficient == 1
			for i, term := range m.Terms {
				alone = alone && (term.Kind != All || net.Places[a.Place].Domain[i].Size == 1)
			}
			for _, term := range m.Terms {
				if term.Kind != Variable {
					continue
				}
				if uses[term.Variable]++; !alone {
					uses[term.Variable] = 2
				}
			}
		}
	}
	for v, n := range uses {
		if n > 1 {
			d.tell(variables[v])
		}
	}
	for _, a := range t.Pre {
		d.arc(a, net.Places[a.Place].Domain, variables, true)
	}
	for _, a := range t.Post {
		d.arc(a, net.Places[a.Place].Domain, variables, false)
	}
}

func (d *naiveDivisions) arc(a Arc, domain Domain, variables []*naiveDivision, input bool) {
	negative := a.Expression.Subtracts()
	for _, m := range a.Expression {
		for i, term := range m.Terms {
			position, size := d.places[a.Place][i], domain[i].Size
			if negative {
				d.tell(position)
			}
			switch {
			case term.Kind == Variable:
				if negative {
					d.tell(variables[term.Variable])
				}
				d.split(variables[term.Variable], position.key(term.Value, size))
				if input {
					d.split(position, variables[term.Variable].key((size-term.Value)%size, size))
				}
			case input && term.Kind == All:
				d.tell(position)
			case input:
				d.split(position, func(colour int64) int64 {
					if colour == term.Value {
						return 1
					}
					return 0
				})
			}
		}
	}
}

func (d *naiveDivisions) guard(g *Guard, variables []*naiveDivision) {
	for _, o := range g.Operands {
		d.guard(o, variables)
	}
	if g.Operator < Equal {
		return
	}
	left, right := g.Left.Kind == Variable, g.Right.Kind == Variable
	switch {
	case left && right && g.Left.Variable != g.Right.Variable:
		for _, o := range []*Operand{&g.Left, &g.Right} {
			if o.Element == nil {
				d.tell(variables[o.Variable])
				continue
			}
			d.split(variables[o.Variable], func(colour int64) int64 { return o.Element[(colour+o.Value)%o.Class.Size] })
		}
	case left || right:
		v := g.Left.Variable
		if !left {
			v = g.Right.Variable
		}
		binding := make([]int64, len(variables))
		d.split(variables[v], func(colour int64) int64 {
			binding[v] = colour
			if g.Holds(binding) {
				return 1
			}
			return 0
		})
	}
}

func (x *naiveDivision) settle() {
	if x.told {
		return
	}
	x.least = make([]int64, x.count)
	for colour := len(x.block) - 1; colour >= 0; colour-- {
		x.least[x.block[colour]] = int64(colour)
	}
}

// TestDivisionsOfRandomNets compares divisions with those of the naive twin.
func TestDivisionsOfRandomNets(t *testing.T) {
	merged := 0
	rapid.Check(t, func(t *rapid.T) {
		net := randomNet(t)
		got, want := divide(net, func(int) bool { return true }, func(int) bool { return true }), naiveDivide(net)
		if (got == nil) != (want == nil) {
			t.Fatalf("divisions %v, want %v", got, want)
		}
		if got == nil {
			return
		}
		merged++
		compare := func(what string, got *division, want *naiveDivision, size int64) {
			for colour := range size {
				stands := colour
				if !want.told {
					stands = want.least[want.block[colour]]
				}
				if got.told != want.told || got.of(colour) != stands || !got.told && (int(got.count) != len(want.least) || !slices.Equal(got.least, want.least)) {
					t.Fatalf("%s: %+v, want %+v", what, got, want)
				}
			}
		}
		for p := range got.places {
			for i, x := range got.places[p] {
				compare(fmt.Sprint("place ", p, ".", i), x, want.places[p][i], net.Places[p].Domain[i].Size)
			}
		}
		for v := range got.variables {
			for i, x := range got.variables[v] {
				compare(fmt.Sprint("variable ", v, ".", i), x, want.variables[v][i], net.Transitions[v].Variables[i].Class.Size)
			}
		}
	})
	if merged == 0 {
		t.Error("no net has colours that can be merged")
	}
}

// manyPlaces returns a net of so many places over a class of a million colours. A transition takes
// any token from each, and one with a guard, unless that is nil, takes x from the first.
func manyPlaces(places int, guard func(x Term, class *Class) *Guard) *Net {
	class := &Class{Name: "c", Size: mostDivided}
	x := Term{Kind: Variable}
	one := Expression{{1, []Term{x}}}
	net := &Net{}
	for i := range places {
		net.Places = append(net.Places, Place{ID: fmt.Sprint("p", i), Domain: Domain{class}})
		net.Transitions = append(net.Transitions, Transition{ID: fmt.Sprint("t", i),
			Variables: []VariableDeclaration{{"x", class}}, Pre: []Arc{{i, one}}})
	}
	if guard != nil {
		net.Transitions[0].Guard = guard(x, class)
	}
	return net
}

// TestUndividedTakesNoMemory: where all colours stay in one block, nothing is written down for them.
func TestUndividedTakesNoMemory(t *testing.T) {
	net := manyPlaces(50, nil)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	u, err := net.Unfold(t.Context(), Options{Merge: true})
	runtime.ReadMemStats(&after)
	if made := after.TotalAlloc - before.TotalAlloc; err != nil || made > 4<<20 {
		t.Errorf("%v: %d MB were made for %+v", err, made>>20, u)
	}
}

// TestDivisionsWithinLimits: divisions of large classes end with the context, and ask for memory.
func TestDivisionsWithinLimits(t *testing.T) {
	net := manyPlaces(3, func(x Term, class *Class) *Guard {
		return &Guard{Operator: Less, Left: Operand{Term: x, Class: class}, Right: Operand{Term: Term{Value: 7}, Class: class}}
	})
	automatatest.EndsAtEachLook(t, "divisions", 4*mostDivided/unlooked, func(ctx context.Context) (any, error) {
		u := newUnfolder(ctx, net, Options{Merge: true})
		if u.err != nil {
			return nil, u.err
		}
		return u.divisions.places[0][0].count, nil
	})
	ctx, stop := account.Within(t.Context(), account.Budget{MemoryBytes: 1})
	defer stop(nil)
	reserved := 0
	d := divide(net, func(int) bool { return true }, func(bytes int) bool { reserved += bytes; return reserved < 4*mostDivided })
	if d != nil || reserved > 5*mostDivided {
		t.Errorf("%d bytes are asked for, and more is made without room for them", reserved)
	}
	if u := newUnfolder(ctx, net, Options{Merge: true}); u.err == nil {
		t.Error("divided without memory")
	}
}

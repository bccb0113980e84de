package automata

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"runtime/debug"
	"testing"

	"pnmc/internal/account"
)

func TestProductKeepsSetsApartBeyondOneWord(t *testing.T) {
	for _, sets := range [][2]int{{63, 1}, {64, 1}, {60, 70}, {1, 130}} {
		one := func(n int) *Automaton {
			b := NewBuilder(nil, GeneralizedBuchi(n))
			b.AddStates(1)
			b.AddInitial(0)
			for i := range n {
				b.AddEdge(0, Label{NewCube(0)}, NewMarks(n, i), 0)
			}
			a, err := b.Build()
			if err != nil {
				t.Fatal(err)
			}
			return a
		}
		p, err := Product(context.Background(), one(sets[0]), one(sets[1]))
		if err != nil {
			t.Fatal(err)
		}
		if p.Acceptance.Sets != sets[0]+sets[1] || !p.Acceptance.IsGeneralizedBuchi() {
			t.Errorf("%v: acceptance %v", sets, p.Acceptance)
		}
		seen := map[string]bool{}
		for e := range p.Edges() {
			m := p.Marks(Edge(e))
			if m.Count() != 2 {
				t.Errorf("%v: marks %v", sets, m)
			}
			seen[fmt.Sprint(m)] = true
		}
		if len(seen) != sets[0]*sets[1] {
			t.Errorf("%v: %d different marks", sets, len(seen))
		}
	}
}

func TestPairsNumbersInOrder(t *testing.T) {
	for name, p := range map[string]*Pairs{"direct": NewPairs(50, 60), "hashed": NewPairs(0, 0)} {
		r := rand.New(rand.NewPCG(3, 3))
		number := map[[2]State]uint32{}
		for range 20000 {
			key := [2]State{State(r.IntN(50)), State(r.IntN(60))}
			if _, known := p.Find(key[0], key[1]); known != hasKey(number, key) {
				t.Fatalf("%s: Find %v before Number: %v", name, key, known)
			}
			n, isNew := p.Number(key[0], key[1])
			if isNew == hasKey(number, key) {
				t.Fatalf("%s: %v new: %v", name, key, isNew)
			}
			if isNew {
				number[key] = uint32(len(number))
			}
			if n != number[key] {
				t.Fatalf("%s: %v is %d, was %d", name, key, n, number[key])
			}
			if left, right := p.At(n); left != key[0] || right != key[1] {
				t.Fatalf("%s: %d is (%d, %d), was %v", name, n, left, right, key)
			}
		}
		if p.Len() != len(number) {
			t.Errorf("%s: %d pairs, want %d", name, p.Len(), len(number))
		}
	}
}

func hasKey(m map[[2]State]uint32, key [2]State) bool {
	_, known := m[key]
	return known
}

// TestProductsAskForMemory: a product that does not fit the memory is given up before its tables have grown.
func TestProductsAskForMemory(t *testing.T) {
	const states, propositions = 60, 300
	names := make([]string, propositions)
	for i := range names {
		names[i] = fmt.Sprint("p", i)
	}
	loops := func() *Automaton {
		b := NewBuilder(names, GeneralizedBuchi(0))
		for range states {
			b.AddState("")
		}
		b.AddInitial(0)
		for i := range State(states) {
			for j := range State(states) {
				b.AddEdge(i, Label{NewCube(propositions).With(int(i), true)}, NewMarks(0), j)
			}
		}
		a, err := b.Build()
		if err != nil {
			t.Fatal(err)
		}
		return a
	}
	a, b := loops(), loops()
	debug.FreeOSMemory()
	before := account.InUse()
	ctx, stop := account.Within(t.Context(), account.Budget{MemoryBytes: before + 40<<20})
	defer stop(nil)
	p, err := Product(ctx, a, b)
	if memory := new(account.MemoryError); p != nil || !errors.As(err, &memory) {
		t.Errorf("a product: %t, %v", p != nil, err)
	}
	if more := account.InUse() - before; more > 60<<20 {
		t.Errorf("%d MB", more>>20)
	}
}

// TestRoomOfProductEdges: an edge more is refused where its tables would have to grow and there is no room.
func TestRoomOfProductEdges(t *testing.T) {
	full := &Automaton{cubes: make([]uint64, 1<<20), cubeWords: 5}
	if err := full.reserveEdge(new(account.Account)); err != nil {
		t.Error(err)
	}
	memory := new(account.MemoryError)
	if err := full.reserveEdge(account.New(account.Budget{MemoryBytes: 1 << 20})); !errors.As(err, &memory) {
		t.Errorf("an edge in a megabyte: %v", err)
	}
}

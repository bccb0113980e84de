package symmetric

import (
	"fmt"
	"runtime"
	"sort"
	"testing"
)

// TestUnreachedPlacesTakeNoMemory: for the colours of places that no token gets to nothing is made.
func TestUnreachedPlacesTakeNoMemory(t *testing.T) {
	class := &Class{Name: "c", Size: mostDense}
	net := &Net{}
	for i := range 200 {
		net.Places = append(net.Places, Place{ID: fmt.Sprint("p", i), Domain: Domain{class}})
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	_, err := net.Unfold(t.Context(), Options{})
	runtime.ReadMemStats(&after)
	if made := after.TotalAlloc - before.TotalAlloc; err != nil || made > 2<<20 {
		t.Errorf("%v: %d MB were made", err, made>>20)
	}
}

// TestSortingEnds: sorting bindings asks whether there is time at each comparison, and compares nothing
// after the end.
func TestSortingEnds(t *testing.T) {
	const count = 1 << 12
	l := &bindingList{width: 1, count: count}
	for i := range int64(count) {
		l.values = append(l.values, i*7919%count)
	}
	asked := 0
	l.look = func(work int) bool { asked += work; return true }
	if sort.Sort(l); asked < count || !sort.IsSorted(l) {
		t.Errorf("asked %d times for %d bindings", asked, count)
	}
	l.look = func(int) bool { return false }
	if l.Less(0, 1) {
		t.Error("bindings are compared after the end")
	}
}

// TestLongTuplesLook: matching long tuples looks at the context, each term for itself.
func TestLongTuplesLook(t *testing.T) {
	one, many := &Class{Name: "one", Size: 1}, &Class{Name: "many", Size: 32}
	x := Term{Kind: Variable}
	domain, all, taken, free := Domain{many}, []Term{{Kind: All}}, []Term{x}, []Term{{Variable, 1, 0}}
	variables := []VariableDeclaration{{"x", many}, {"y", many}}
	for i := range 4000 {
		domain, all, taken, free = append(domain, one), append(all, Term{}), append(taken, Term{}), append(free, Term{Variable, i + 2, 0})
		variables = append(variables, VariableDeclaration{fmt.Sprint("z", i), one})
	}
	net := &Net{
		Places:      []Place{{ID: "p", Domain: domain, Initial: Expression{{1, all}}}},
		Transitions: []Transition{{ID: "t", Variables: variables}},
	}
	count := func(pre ...[]Term) int {
		net.Transitions[0].Pre = nil
		for _, terms := range pre {
			net.Transitions[0].Pre = append(net.Transitions[0].Pre, Arc{0, Expression{{1, terms}}})
		}
		u := newUnfolder(t.Context(), net, Options{})
		u.runners[0].found = func([]int64) bool { return true } // what is done with bindings is another matter
		worked := 0
		u.runners[0].looked = func(work int) bool { worked += work; return true }
		if u.saturate(); u.err != nil {
			t.Fatal(u.err)
		}
		return worked
	}
	const candidates = 32 * 33 / 2
	if worked, least := count(taken, free), candidates*4000/comparisonsPerStep; worked < least {
		t.Errorf("%d were looked at for tuples that bind variables, expected %d", worked, least)
	}
	if worked, least := count(taken, taken), (2*32+32)*4000/comparisonsPerStep; worked < least {
		t.Errorf("%d were looked at for tuples that are looked up, expected %d", worked, least)
	}
}

// TestIndexesCharge: what is entered in indexes is charged as memory.
func TestIndexesCharge(t *testing.T) {
	many, x := &Class{Name: "many", Size: 2048}, Term{Kind: Variable}
	net := &Net{
		Places: []Place{{ID: "p", Domain: Domain{many}, Initial: Expression{{1, []Term{{Kind: All}}}}}},
		Transitions: []Transition{{ID: "t", Variables: []VariableDeclaration{{"x", many}}, Guard: &Guard{Operator: Or},
			Pre: []Arc{{0, Expression{{1, []Term{x}}}}, {0, Expression{{1, []Term{x}}}}}}},
	}
	u := newUnfolder(t.Context(), net, Options{})
	const more = 50
	for range more {
		u.indexes[0] = append(u.indexes[0], &index{domain: net.Places[0].Domain, tuples: make(map[int64][]int64)})
	}
	before := u.account.Spent()
	if u.saturate(); u.account.Spent()-before < more*2048*entryBytes {
		t.Errorf("%d were charged for the entries of 2048 tuples in 50 indexes", u.account.Spent()-before)
	}
}

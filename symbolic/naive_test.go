package symbolic

import (
	"fmt"
	"slices"

	"pgregory.net/rapid"
)

// vectorSet is the naive twin of a Node: vectors printed, in a Go map.
type vectorSet map[string][]uint32

func (s vectorSet) add(v []uint32) bool {
	key := fmt.Sprint(v)
	_, had := s[key]
	s[key] = slices.Clone(v)
	return !had
}

func (s vectorSet) keys() []string {
	var keys []string
	for k := range s {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}

// node builds the diagram of s and keeps it.
func (s vectorSet) node(t fataler, f *Forest) Node {
	n := Empty
	for _, v := range s {
		f.Keep(n)
		one, err := f.Singleton(v)
		must(t, err)
		next, err := f.Union(n, one)
		must(t, err)
		f.Release(n)
		n = next
	}
	return f.Keep(n)
}

// vectorsOf returns the naive twin of n.
func vectorsOf(f *Forest, n Node) vectorSet {
	s := vectorSet{}
	if n != Empty {
		for v := range f.Vectors(n) {
			s.add(v)
		}
	}
	return s
}

// successors returns the vectors one event of s away from v, one for each event
// that is possible.
func (s *System) successors(v []uint32) [][]uint32 {
	var next [][]uint32
	for _, e := range s.Events {
		w, possible := slices.Clone(v), true
		for _, g := range e {
			if v[g.Variable] < g.Low || v[g.Variable] > g.High {
				possible = false
				break
			}
			if g.Delta >= assign(0) {
				w[g.Variable] = uint32(g.Delta - assign(0))
				continue
			}
			w[g.Variable] = uint32(int64(w[g.Variable]) + g.Delta)
		}
		if possible {
			next = append(next, w)
		}
	}
	return next
}

// explore returns the naive twin of ExploreSystem. It gives up beyond limit states.
func (s *System) explore(limit int) (states vectorSet, firings int, finished bool) {
	states = vectorSet{}
	states.add(s.Initial)
	queue := [][]uint32{s.Initial}
	for len(queue) > 0 {
		v := queue[0]
		queue = queue[1:]
		for _, w := range s.successors(v) {
			firings++
			if states.add(w) {
				queue = append(queue, w)
			}
		}
		if len(states) > limit {
			return states, firings, false
		}
	}
	return states, firings, true
}

type fataler interface {
	Fatalf(format string, arguments ...any)
}

func must(t fataler, err error) {
	if err != nil {
		t.Fatalf("unexpected error: %v", err)
	}
}

// drawVectors draws up to 30 vectors of that height.
func drawVectors(t *rapid.T, height int, label string) vectorSet {
	s := vectorSet{}
	vector := rapid.SliceOfN(rapid.Uint32Range(0, 4), height, height)
	for _, v := range rapid.SliceOfN(vector, 0, 30).Draw(t, label) {
		s.add(v)
	}
	return s
}

// drawSystem draws a system like a net with few tokens; one in three events also
// has upper guards, as inhibitor arcs would give, and one in three systems assignments, as
// reset arcs would.
func drawSystem(t *rapid.T) *System {
	n := rapid.IntRange(1, 6).Draw(t, "variables")
	s := &System{Names: make([]string, n)}
	for v := range s.Names {
		s.Names[v] = fmt.Sprint("v", v)
	}
	s.Initial = rapid.SliceOfN(rapid.Uint32Range(0, 3), n, n).Draw(t, "initial")
	resets := rapid.IntRange(0, 2).Draw(t, "resets") == 0
	events := rapid.IntRange(1, 8).Draw(t, "events")
	for range events {
		var e Event
		guarded := rapid.IntRange(0, 2).Draw(t, "guarded") == 0
		for v := range n {
			if rapid.IntRange(0, 2).Draw(t, "involved") > 0 {
				continue
			}
			g := Guard{Variable: uint32(v), High: noLimit}
			g.Low = rapid.Uint32Range(0, 2).Draw(t, "low")
			g.Delta = rapid.Int64Range(-int64(g.Low), 1).Draw(t, "delta")
			if resets && rapid.IntRange(0, 2).Draw(t, "assigns") == 0 {
				g.Delta = assign(rapid.Uint32Range(0, 2).Draw(t, "assigned"))
			}
			if guarded {
				g.High = g.Low + rapid.Uint32Range(0, 2).Draw(t, "span")
			}
			e = append(e, g)
		}
		s.Events = append(s.Events, e)
	}
	return s
}

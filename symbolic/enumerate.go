package symbolic

import (
	"bufio"
	"fmt"
	"io"
	"iter"
)

// Vectors enumerates n, in ascending order of the topmost value, then the next.
// The value of level k is at k-1 of the slice, which is reused: copy what must
// last. No operation on f may run meanwhile.
func (f *Forest) Vectors(n Node) iter.Seq[[]uint32] {
	return func(yield func([]uint32) bool) {
		f.enumerate(n, make([]uint32, f.Level(n)), yield)
	}
}

// enumerate yields the vectors of n with the values above its level as they are in
// vector. It reports whether to go on. The depth of recursion is the number of
// variables.
func (f *Forest) enumerate(n Node, vector []uint32, yield func([]uint32) bool) bool {
	if n == Unit {
		return yield(vector)
	}
	level := f.nodes[n].level
	for _, e := range f.Edges(n) {
		vector[level-1] = e.Value
		if !f.enumerate(e.Child, vector, yield) {
			return false
		}
	}
	return true
}

// Contains reports whether the vector, with the value of level k at k-1, is in n. Time
// is linear in the edges of the nodes on the way.
func (f *Forest) Contains(n Node, vector []uint32) bool {
	if n == Empty {
		return false
	}
	for level := f.Level(n); level > 0; level-- {
		next := Empty
		for _, e := range f.Edges(n) {
			if e.Value == vector[level-1] {
				next = e.Child
			}
		}
		if next == Empty {
			return false
		}
		n = next
	}
	return n == Unit
}

// WriteDOT writes the diagram of n as a GraphViz graph; names[k-1] labels the
// variable of level k, and without names levels are numbered.
func (f *Forest) WriteDOT(w io.Writer, n Node, names []string) error {
	out := bufio.NewWriter(w)
	fmt.Fprintln(out, "digraph {")
	fmt.Fprintln(out, "  node [shape=box]")
	// A rank for each level, so that equal variables stand side by side.
	l := f.reachable(n)
	for k := f.height; k >= 1; k-- {
		nodes := l.level(k)
		if len(nodes) == 0 {
			continue
		}
		label := fmt.Sprint(k)
		if k <= len(names) {
			label = names[k-1]
		}
		fmt.Fprint(out, "  { rank=same")
		for _, n := range nodes {
			fmt.Fprintf(out, " n%d [label=%q]", n, label)
		}
		fmt.Fprintln(out, " }")
		for _, n := range nodes {
			for _, e := range f.Edges(n) {
				fmt.Fprintf(out, "  n%d -> n%d [label=%d]\n", n, e.Child, e.Value)
			}
		}
	}
	fmt.Fprintln(out, `  n1 [label="1"]`)
	fmt.Fprintln(out, "}")
	return out.Flush()
}

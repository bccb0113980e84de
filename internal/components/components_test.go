package components_test

import (
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"pnmc/internal/components"
)

// find lists the components of a graph in the order in which they are complete.
func find(graph [][]uint32) [][]uint32 {
	var search components.Search
	search.Grow(len(graph))
	var found [][]uint32
	for root := range graph {
		if search.Met(uint32(root)) {
			continue
		}
		search.Enter(uint32(root), 0)
		for search.Active() {
			top := search.Top()
			if edges := graph[top.Node]; int(top.Next) < len(edges) {
				to := edges[top.Next]
				top.Next++
				if search.Look(top, to) == components.New {
					search.Enter(to, 0)
				}
			} else if members := search.Leave(); members != nil {
				found = append(found, slices.Clone(members))
			}
		}
	}
	return found
}

// TestComponents compares components with mutual reachability, and their order with edges.
func TestComponents(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 9).Draw(t, "nodes")
		graph := make([][]uint32, n)
		reaches := make([][]bool, n)
		for i := range graph {
			reaches[i] = make([]bool, n)
			reaches[i][i] = true
		}
		for range rapid.IntRange(0, 2*n).Draw(t, "edges") {
			from, to := rapid.IntRange(0, n-1).Draw(t, "from"), rapid.IntRange(0, n-1).Draw(t, "to")
			graph[from] = append(graph[from], uint32(to))
			reaches[from][to] = true
		}
		for k := range n {
			for i := range n {
				for j := range n {
					reaches[i][j] = reaches[i][j] || reaches[i][k] && reaches[k][j]
				}
			}
		}
		of := slices.Repeat([]int{-1}, n)
		for c, members := range find(graph) {
			for _, node := range members {
				if of[node] >= 0 {
					t.Fatalf("node %d is in two components of %v", node, graph)
				}
				of[node] = c
			}
		}
		for i := range n {
			for j := range n {
				if same := reaches[i][j] && reaches[j][i]; same != (of[i] == of[j]) || of[i] < 0 {
					t.Fatalf("components %v of %v: %d and %d", of, graph, i, j)
				}
				if reaches[i][j] && of[i] < of[j] {
					t.Fatalf("components %v of %v: %d is complete before %d", of, graph, i, j)
				}
			}
		}
	})
}

// TestForget searches parts of a graph one after the other.
func TestForget(t *testing.T) {
	graph := [][]uint32{{1}, {0}}
	var search components.Search
	search.Grow(len(graph))
	for range 2 {
		search.Enter(0, 0)
		search.Enter(1, 0)
		if search.Look(search.Top(), 0) != components.Open || search.Leave() != nil {
			t.Fatal("an edge back closes nothing")
		}
		if members := search.Leave(); !slices.Equal(members, []uint32{0, 1}) {
			t.Fatalf("%v", members)
		}
		search.Forget(0)
		search.Forget(1)
	}
}

func ExampleSearch() {
	graph := [][]uint32{{1}, {0, 2}, {}}
	var search components.Search
	search.Grow(len(graph))
	search.Enter(0, 0)
	for search.Active() {
		top := search.Top()
		if edges := graph[top.Node]; int(top.Next) < len(edges) {
			to := edges[top.Next]
			top.Next++
			if search.Look(top, to) == components.New {
				search.Enter(to, 0)
			}
		} else if members := search.Leave(); members != nil {
			fmt.Println(members)
		}
	}
	// Output:
	// [2]
	// [0 1]
}

// Package components finds strongly connected components by Tarjan's algorithm ("Depth-first
// search and linear graph algorithms", 1972), without recursion, in time linear in nodes and
// edges. It keeps what the algorithm knows of the nodes. The caller walks along the edges, in
// whatever form it has them, so no edge costs a call that is not inlined:
//
//	search.Enter(root, first edge)
//	for search.Active() {
//		top := search.Top()
//		if top.Next is an edge of top.Node {
//			to := its end; top.Next++
//			if search.Look(top, to) == components.New {
//				search.Enter(to, its first edge)
//			}
//		} else if members := search.Leave(); members != nil {
//			members are a component
//		}
//	}
//
// Components are complete after all that their edges lead to. It serves graphs that are laid
// out (pnmc/automata), parts of such graphs (pnmc/automata/emptiness), and graphs that are
// computed on the way (pnmc/checker/reachability, pnmc/petri/stubborn, pnmc/view). Searches for accepted runs differ:
// they merge components, with their marks, as soon as an edge closes a cycle, and so end before
// a component is complete (pnmc/checker/product). It imports nothing of the module.
package components

// Search is a depth-first search under way.
//
// Each node that is met gets a place on the stack, in the order in which nodes are met. low is the
// least place that the node is known to reach through nodes met after it. A node that reaches none
// below its own place is the first that was met of its component, and all above it on the stack are
// its members. For example, edges 0 to 1, 1 to 2, 2 to 1: node 2 at place 3 sees node 1 at place 2,
// and takes over 2. Node 1 still has 2, its own place, when it is left: so {1, 2} is complete. Node 0
// is a component of its own.
//
// Tarjan keeps the place of a node and its low apart. One number is enough: an edge to an open node
// takes over that node's low instead of its place. That is a place that the open node reaches, and so
// does the source of the edge.
type Search struct {
	// low is 0 for nodes that are not met, and closed for those whose component is complete.
	// Else it is the least place on the stack, from 1, that is known to be reachable.
	low   []uint32
	stack []uint32 // nodes whose component is not complete, as they were met
	path  []Frame  // nodes whose edges are not all looked at
}

// Frame is a node on the path of the search.
type Frame struct {
	Node uint32
	// Next is the caller's: which edge it looks at next.
	Next uint32
}

const closed = ^uint32(0)

// Meeting is what is known of a node when an edge leads to it.
type Meeting uint8

// New nodes are to be entered; Open ones are in a component that is not complete, and
// Closed ones in one that is.
const (
	New Meeting = iota
	Open
	Closed
)

// Grow makes room for the nodes below n.
func (s *Search) Grow(n int) {
	if more := n - len(s.low); more > 0 {
		s.low = append(s.low, make([]uint32, more)...)
	}
}

// Tables returns what grows with the nodes met, for accounts of memory.
func (s *Search) Tables() (low, stack []uint32, path []Frame) { return s.low, s.stack, s.path }

// Room returns the number of nodes that there is room for.
func (s *Search) Room() int { return len(s.low) }

// Forget makes node one that is not met. It must not be in an open component.
func (s *Search) Forget(node uint32) { s.low[node] = 0 }

// Abandon ends a search that need not go on, and forgets nodes, which are all that were met.
func (s *Search) Abandon(nodes []uint32) {
	s.stack, s.path = s.stack[:0], s.path[:0]
	for _, node := range nodes {
		s.low[node] = 0
	}
}

// Met reports whether node was entered.
func (s *Search) Met(node uint32) bool { return s.low[node] != 0 }

// Enter goes to a new node, for which there is room.
func (s *Search) Enter(node, next uint32) {
	s.stack = append(s.stack, node)
	s.low[node] = uint32(len(s.stack))
	s.path = append(s.path, Frame{Node: node, Next: next})
}

// Active reports whether some node is on the path.
func (s *Search) Active() bool { return len(s.path) > 0 }

// Depth returns the number of nodes on the path.
func (s *Search) Depth() int { return len(s.path) }

// Top returns the last node of the path, until the next Enter or Leave.
func (s *Search) Top() *Frame { return &s.path[len(s.path)-1] }

// Look takes note of an edge from top, the last node of the path.
func (s *Search) Look(top *Frame, to uint32) Meeting {
	switch low := s.low[to]; low {
	case 0:
		return New
	case closed:
		return Closed
	default:
		s.low[top.Node] = min(s.low[top.Node], low)
		return Open
	}
}

// Leave goes back from the last node of the path. If it was the first node met of its
// component, the component is complete. Then its nodes are returned, in the order in
// which they were met; they are valid until the next Enter. Otherwise the result is nil.
func (s *Search) Leave() []uint32 {
	last := len(s.path) - 1
	node := s.path[last].Node
	s.path = s.path[:last]
	low := s.low[node]
	if s.stack[low-1] != node {
		above := s.path[last-1].Node
		s.low[above] = min(s.low[above], low)
		return nil
	}
	members := s.stack[low-1:]
	s.stack = s.stack[:low-1]
	for _, node := range members {
		s.low[node] = closed
	}
	return members
}

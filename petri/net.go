package petri

// Place numbers a place of a Net: 0 ≤ p < Places().
type Place uint32

// Transition numbers a transition of a Net: 0 ≤ t < Transitions().
type Transition uint32

// Arc connects a transition, known from the context, with Place; firing moves
// Weight ≥ 1 tokens along it.
type Arc struct {
	Place  Place
	Weight int64
}

// Label is how a node is known outside: its identifier in the document it came
// from, unique among places and transitions, and its name, which need not be.
type Label struct {
	ID   string
	Name string
}

// Marking gives each place, by its number, its token count.
type Marking []int64

// Net is an immutable place/transition net with weighted arcs, and perhaps inhibitor and
// reset arcs and capacities (special.go).
//
// Arcs lie in compressed sparse rows: one flat slice of arcs sorted by place
// within each transition, and a slice of offsets, one more than there are rows.
// A Net is made by a Builder and is safe for concurrent use.
type Net struct {
	// ID and Name are those of the document's net element.
	ID, Name string

	places      []Label
	transitions []Label
	initial     Marking

	pre, post           []Arc
	preStart, postStart []uint32

	consumers, producers         []Transition
	consumerStart, producerStart []uint32

	placeIndex      map[string]Place
	transitionIndex map[string]Transition

	nupn *NUPN

	special *specialArcs // nil in a net without such arcs
}

// Places returns the number of places.
func (n *Net) Places() int { return len(n.places) }

// Transitions returns the number of transitions.
func (n *Net) Transitions() int { return len(n.transitions) }

// Arcs returns the number of arcs of all kinds, in both directions together.
func (n *Net) Arcs() int {
	if n.special != nil {
		return len(n.pre) + len(n.post) + len(n.special.inhibitors) + len(n.special.resets)
	}
	return len(n.pre) + len(n.post)
}

// PlaceLabel returns the identifier and name of p.
func (n *Net) PlaceLabel(p Place) Label { return n.places[p] }

// TransitionLabel returns the identifier and name of t.
func (n *Net) TransitionLabel(t Transition) Label { return n.transitions[t] }

// PlaceByID finds a place by its identifier.
func (n *Net) PlaceByID(id string) (Place, bool) {
	p, ok := n.placeIndex[id]
	return p, ok
}

// TransitionByID finds a transition by its identifier.
func (n *Net) TransitionByID(id string) (Transition, bool) {
	t, ok := n.transitionIndex[id]
	return t, ok
}

// Initial returns a fresh copy of the initial marking.
func (n *Net) Initial() Marking { return append(Marking(nil), n.initial...) }

// From returns the net with another initial marking, m, which must be reachable. Claims of the net,
// and what refutes them, stay. The two share all else.
func (n *Net) From(m Marking) *Net {
	from := *n
	from.initial = append(Marking(nil), m...)
	return &from
}

// InitialTokens returns the token count of p in the initial marking.
func (n *Net) InitialTokens(p Place) int64 { return n.initial[p] }

// Pre returns the pre-set of t with weights, sorted by place; not to be modified.
func (n *Net) Pre(t Transition) []Arc { return n.pre[n.preStart[t]:n.preStart[t+1]] }

// Post returns the post-set of t with weights, sorted by place; not to be modified.
func (n *Net) Post(t Transition) []Arc { return n.post[n.postStart[t]:n.postStart[t+1]] }

// Consumers returns the transitions that have p in their pre-set, ascending; not to
// be modified.
func (n *Net) Consumers(p Place) []Transition {
	return n.consumers[n.consumerStart[p]:n.consumerStart[p+1]]
}

// Producers returns the transitions that have p in their post-set, ascending; not
// to be modified.
func (n *Net) Producers(p Place) []Transition {
	return n.producers[n.producerStart[p]:n.producerStart[p+1]]
}

// NUPN returns the nested-unit structure that came with the net, or nil.
func (n *Net) NUPN() *NUPN { return n.nupn }

// Enabled reports whether t may fire in m.
func (n *Net) Enabled(m Marking, t Transition) bool {
	for _, a := range n.Pre(t) {
		if m[a.Place] < a.Weight {
			return false
		}
	}
	return n.special == nil || n.special.allows(m, t)
}

// Deadlock reports whether no transition is enabled in m.
func (n *Net) Deadlock(m Marking) bool {
	for t := range n.transitions {
		if n.Enabled(m, Transition(t)) {
			return false
		}
	}
	return true
}

// Fire changes m to the marking after t. It reports false, and leaves m as it
// was, if t is not enabled or a token count would exceed 2^63-1.
func (n *Net) Fire(m Marking, t Transition) bool {
	if !n.Enabled(m, t) {
		return false
	}
	if n.special != nil {
		return n.special.fire(n, m, t)
	}
	for _, a := range n.Pre(t) {
		m[a.Place] -= a.Weight
	}
	post := n.Post(t)
	for i, a := range post {
		if m[a.Place]+a.Weight < 0 {
			for _, b := range post[:i] {
				m[b.Place] -= b.Weight
			}
			for _, b := range n.Pre(t) {
				m[b.Place] += b.Weight
			}
			return false
		}
		m[a.Place] += a.Weight
	}
	return true
}

// Effect returns what firing t adds to each place, negative where it takes: the
// places whose count changes, ascending. If t resets a place, it is what the other
// arcs add, which is at least what firing adds. It allocates.
func (n *Net) Effect(t Transition) []Arc {
	return n.AppendEffect(make([]Arc, 0, len(n.Pre(t))+len(n.Post(t))), t)
}

// AppendEffect appends what Effect gives to effect.
func (n *Net) AppendEffect(effect []Arc, t Transition) []Arc {
	pre, post := n.Pre(t), n.Post(t)
	for len(pre) > 0 || len(post) > 0 {
		switch {
		case len(post) == 0 || len(pre) > 0 && pre[0].Place < post[0].Place:
			effect = append(effect, Arc{pre[0].Place, -pre[0].Weight})
			pre = pre[1:]
		case len(pre) == 0 || post[0].Place < pre[0].Place:
			effect = append(effect, post[0])
			post = post[1:]
		default:
			if d := post[0].Weight - pre[0].Weight; d != 0 {
				effect = append(effect, Arc{pre[0].Place, d})
			}
			pre, post = pre[1:], post[1:]
		}
	}
	return effect
}

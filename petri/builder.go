package petri

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"

	"pnmc/internal/account"
)

// Builder collects the parts of a Net. The zero value is an empty net.
type Builder struct {
	// ID and Name become those of the net.
	ID, Name string

	places      []Label
	transitions []Label
	initial     Marking
	pre, post   []builderArc
	inhibitors  []builderArc
	resets      []builderArc
	reads       []builderArc
	capacities  map[Place]int64
	nupn        *NUPN

	placeIndex      map[string]Place
	transitionIndex map[string]Transition
}

type builderArc struct {
	transition Transition
	Arc
}

// AddPlace adds a place that holds initial tokens at first. The error says that
// the count is negative, or the identifier in use.
func (b *Builder) AddPlace(id, name string, initial int64) (Place, error) {
	if initial < 0 {
		return 0, fmt.Errorf("place %q: initial marking %d is negative", id, initial)
	}
	p, err := addNode(b, &b.places, &b.placeIndex, id, name)
	if err == nil {
		b.initial = append(b.initial, initial)
	}
	return p, err
}

// AddTransition adds a transition. The error says that the identifier is in use.
func (b *Builder) AddTransition(id, name string) (Transition, error) {
	return addNode(b, &b.transitions, &b.transitionIndex, id, name)
}

// addNode adds a node to the list and the index of its kind.
func addNode[N Place | Transition](b *Builder, nodes *[]Label, index *map[string]N, id, name string) (N, error) {
	if err := b.unused(id); err != nil {
		return 0, err
	}
	n := N(len(*nodes))
	if *index == nil {
		*index = make(map[string]N)
	}
	(*index)[id] = n
	*nodes = append(*nodes, Label{ID: id, Name: name})
	return n, nil
}

// Has reports whether a place or transition with that identifier has been added.
func (b *Builder) Has(id string) bool { return b.unused(id) != nil }

// unused returns an error if a node has the identifier.
func (b *Builder) unused(id string) error {
	if _, ok := b.placeIndex[id]; ok {
		return fmt.Errorf("identifier %q is already that of a place", id)
	}
	if _, ok := b.transitionIndex[id]; ok {
		return fmt.Errorf("identifier %q is already that of a transition", id)
	}
	return nil
}

// AddInput lets t consume weight tokens from p; weights of parallel arcs add up.
func (b *Builder) AddInput(p Place, t Transition, weight int64) error {
	return b.addArc(&b.pre, p, t, weight)
}

// AddOutput lets t produce weight tokens on p; weights of parallel arcs add up.
func (b *Builder) AddOutput(t Transition, p Place, weight int64) error {
	return b.addArc(&b.post, p, t, weight)
}

// Room asks the account for room for so many more arcs.
func (b *Builder) Room(work *account.Account, inputs, outputs int) error {
	return cmp.Or(account.Room(work, b.pre, inputs), account.Room(work, b.post, outputs))
}

// addArc adds an arc to list, unless there is no such arc.
func (b *Builder) addArc(list *[]builderArc, p Place, t Transition, weight int64) error {
	if err := b.checkArc(p, t, weight); err != nil {
		return err
	}
	*list = append(*list, builderArc{t, Arc{p, weight}})
	return nil
}

// checkArc returns an error unless both nodes are there and the weight is positive.
func (b *Builder) checkArc(p Place, t Transition, weight int64) error {
	switch {
	case int(p) >= len(b.places):
		return fmt.Errorf("arc to unknown place number %d", p)
	case int(t) >= len(b.transitions):
		return fmt.Errorf("arc to unknown transition number %d", t)
	case weight < 1:
		return fmt.Errorf("arc between %q and %q: weight %d is not positive",
			b.places[p].ID, b.transitions[t].ID, weight)
	}
	return nil
}

// SetNUPN attaches a nested-unit structure over the places added so far.
func (b *Builder) SetNUPN(n *NUPN) { b.nupn = n }

// Build returns the net. The Builder must not be used afterwards. The error says
// that the weights of parallel arcs add up to more than 2^63-1.
func (b *Builder) Build() (*Net, error) {
	if uint64(len(b.pre)+len(b.post)+len(b.inhibitors)+len(b.resets)+2*len(b.reads)) > math.MaxUint32 {
		return nil, errors.New("more than 2^32-1 arcs")
	}
	n := &Net{
		ID: b.ID, Name: b.Name,
		places: b.places, transitions: b.transitions, initial: b.initial,
		placeIndex: b.placeIndex, transitionIndex: b.transitionIndex,
		nupn: b.nupn,
	}
	b.turnReads()
	var err error
	if n.pre, n.preStart, err = b.rows(b.pre); err != nil {
		return nil, err
	}
	b.pre = nil // which the garbage collector may take
	if n.post, n.postStart, err = b.rows(b.post); err != nil {
		return nil, err
	}
	b.post = nil
	n.consumers, n.consumerStart = columns(len(b.places), n.pre, n.preStart)
	n.producers, n.producerStart = columns(len(b.places), n.post, n.postStart)
	n.special = b.specialArcs(n)
	return n, nil
}

// rows sorts arcs into compressed rows, one for each transition, and merges parallel arcs.
func (b *Builder) rows(arcs []builderArc) ([]Arc, []uint32, error) {
	slices.SortStableFunc(arcs, func(x, y builderArc) int {
		return cmp.Or(cmp.Compare(x.transition, y.transition), cmp.Compare(x.Place, y.Place))
	})
	flat := make([]Arc, 0, len(arcs))
	start := make([]uint32, len(b.transitions)+1)
	for i, a := range arcs {
		if i > 0 && arcs[i-1].transition == a.transition && arcs[i-1].Place == a.Place {
			last := &flat[len(flat)-1]
			if last.Weight > math.MaxInt64-a.Weight {
				return nil, nil, fmt.Errorf("parallel arcs between %q and %q weigh more than 2^63-1",
					b.places[a.Place].ID, b.transitions[a.transition].ID)
			}
			last.Weight += a.Weight
		} else {
			flat = append(flat, a.Arc)
		}
		start[a.transition+1] = uint32(len(flat))
	}
	for t := 1; t < len(start); t++ {
		start[t] = max(start[t], start[t-1])
	}
	return flat, start, nil
}

// columns transposes rows: for each place the transitions that have it.
func columns(places int, arcs []Arc, start []uint32) ([]Transition, []uint32) {
	columnStart := make([]uint32, places+1)
	for _, a := range arcs {
		columnStart[a.Place+1]++
	}
	for p := range places {
		columnStart[p+1] += columnStart[p]
	}
	flat := make([]Transition, len(arcs))
	next := slices.Clone(columnStart[:places])
	for t := range len(start) - 1 {
		for _, a := range arcs[start[t]:start[t+1]] {
			flat[next[a.Place]] = Transition(t)
			next[a.Place]++
		}
	}
	return flat, columnStart
}

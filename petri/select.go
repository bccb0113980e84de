package petri

import (
	"pnmc/internal/account"
	"pnmc/internal/bitset"
)

// Selection chooses in a marking which of the enabled transitions are fired there. The
// choice depends on the marking alone. It is empty only if nothing that is looked for can
// follow. Package stubborn makes selections that leave out no answer.
type Selection interface {
	// Select returns enabled if all are to be fired, else some of them, in a slice that is
	// valid until the next call. It keeps neither slice.
	Select(m Marking, enabled []Transition) []Transition
}

// Weighed is a Selection that knows what it costs. Choosing rests where it costs more than it saves.
type Weighed interface {
	Selection
	// Spent returns about how long the last Select took, in nanoseconds. It depends on the
	// marking alone.
	Spent() int
}

// Savings count what a selection left out.
type Savings struct {
	// States counts the markings whose edges were found, and Part those of them where
	// some edges were left out.
	States, Part int64
	// Left are the edges left out.
	Left int64
}

// Since returns what was counted after before.
func (s Savings) Since(before Savings) Savings {
	return Savings{s.States - before.States, s.Part - before.Part, s.Left - before.Left}
}

// selecting is how a Kripke structure that has only a part of the edges chooses them.
type selecting struct {
	chooser
	// acyclic: no cycle consists of states alone that have a part of their edges.
	acyclic bool
	part    []uint64 // bit set of these states
	marking Marking
}

// Select has states keep a part of their edges: those of the transitions that selection
// chooses. It is called before anything is explored.
//
// With acyclic, each cycle of the graph has a state with all its edges, so that no transition
// is put off for ever. The choice for a state is fixed when its edges are first asked for. So
// all who ask, for whatever purpose, see the same graph.
func (k *Kripke) Select(selection Selection, acyclic bool) {
	k.selecting = &selecting{chooser: newChooser(k.space.net, selection), acyclic: acyclic, marking: make(Marking, k.space.net.Places())}
}

// View returns another state graph on the states of k, in which each keeps the edges that selection
// chooses. Both number states alike, may be used in turns, and charge the same account; the view's edges
// are its own, and take at most one of so many parts of the memory for those of k. It serves until k begins
// another question.
func (k *Kripke) View(selection Selection, parts int64) *Kripke {
	v := &Kripke{space: k.space, facts: k.facts, folder: k.folder, heaviest: k.heaviest, edges: edges{most: k.edges.most / parts}}
	v.Select(selection, false)
	return v
}

// Savings returns what Select has saved so far.
func (k *Kripke) Savings() Savings {
	if k.selecting == nil {
		return k.added
	}
	return k.selecting.savings
}

// AddSavings counts what a view has left out, which k has no selection of its own for.
func (k *Kripke) AddSavings(s Savings) {
	k.added.States += s.States
	k.added.Part += s.Part
	k.added.Left += s.Left
}

// Selects reports whether Select was called.
func (k *Kripke) Selects() bool { return k.selecting != nil }

// selectedSuccessors finds successors anew, and may leave some out.
func (k *Kripke) selectedSuccessors(s StateID) ([]StateID, error) {
	x := k.selecting
	fresh := !k.isExpanded(s)
	if fresh {
		if !x.due() {
			return k.allSuccessors(s)
		}
	} else if !x.isPart(s) {
		return k.allSuccessors(s)
	}
	possible, all, err := k.choose(s)
	if err != nil {
		return nil, err
	}
	if all {
		if fresh {
			x.count(possible, possible)
		}
		return k.allSuccessors(s)
	}
	ids, complete, err := k.fireChosen(s)
	if err != nil {
		return nil, err
	}
	if !complete || fresh && x.acyclic && k.mayClose(s, ids) {
		if fresh {
			x.count(possible, possible)
		}
		return k.allSuccessors(s)
	}
	if fresh {
		x.keep(len(ids), possible)
		if err := k.setPart(s); err != nil {
			return nil, err
		}
	}
	return k.keep(s, ids, false)
}

// isExpanded reports whether the edges of s were asked for before.
func (k *Kripke) isExpanded(s StateID) bool { return k.edges.known(s) }

// isPart reports whether s has a part of its edges.
func (x *selecting) isPart(s StateID) bool {
	return bitset.WordsFor(int(s)+1) <= len(x.part) && bitset.Has(x.part, s)
}

// setPart notes that s has a part of its edges. An error is the account's.
func (k *Kripke) setPart(s StateID) error {
	x := k.selecting
	if more := bitset.WordsFor(int(s)+1) - len(x.part); more > 0 {
		if err := account.Room(k.space.account, x.part, more); err != nil {
			return err
		}
		x.part = append(x.part, make([]uint64, more)...)
	}
	bitset.Add(x.part, s)
	return nil
}

// choose puts the rules that are to be fired in s into chosen. It gives the number of those
// that are enabled, and reports whether all are chosen; chosen is not set then.
func (k *Kripke) choose(s StateID) (possible int, all bool, err error) {
	x, space := k.selecting, k.space
	space.hold(s)
	possible = x.look(space.firing, space.packed, space.implied)
	if space.order.mixed {
		space.order.sort(space.firing, x.rules)
	}
	if err := space.account.Charge(x.work(space.firing)); err != nil {
		return 0, false, err
	}
	if possible < 2 {
		return possible, true, nil
	}
	space.layout.Unpack(space.packed, x.marking)
	return possible, x.choose(space.firing, x.marking), nil
}

// fireChosen finds the states after s by the chosen rules. It reports false if not all of
// them could be fired: a field was too narrow, and now has more room or is capped.
func (k *Kripke) fireChosen(s StateID) (ids []StateID, complete bool, err error) {
	x, space := k.selecting, k.space
	ids = k.ids[:0]
	for rest := x.chosen; len(rest) > 0; {
		n := min(len(rest), int(space.firing.batch))
		k.out = k.out[:0]
		narrow, fits := space.firing.fireRules(rest[:n], space.packed, &k.out)
		if narrow >= 0 {
			return nil, false, space.makeRoom(s, narrow)
		}
		if !fits {
			return nil, false, nil
		}
		if narrow := k.fold(); narrow >= 0 {
			return nil, false, space.makeRoom(s, narrow)
		}
		if err := account.Room(space.account, ids, n); err != nil {
			return nil, false, err
		}
		ids = append(ids, make([]StateID, n)...)
		if err := space.intern(k.out, ids[len(ids)-n:]); err != nil {
			return nil, false, err
		}
		if space.trackParent {
			for space.parent.Length < space.Len() {
				space.parent.Append(s)
			}
		}
		rest = rest[n:]
	}
	k.ids = ids
	return ids, true, nil
}

// closeSearch bounds the states that mayClose looks at.
const closeSearch = 64

// mayClose reports whether edges from s to ids may close a cycle of states that all have a
// part of their edges. It looks at a few states only, and reports true if these don't
// suffice. States whose edges are not known yet don't matter: the last state of a cycle whose
// edges are found sees the others.
func (k *Kripke) mayClose(s StateID, ids []StateID) bool {
	var seen [closeSearch]StateID
	n, x := 0, k.selecting
	for at := -1; at < n; at++ {
		next := ids
		if at >= 0 {
			if next = k.Kept(seen[at]); next == nil {
				return true
			}
		}
	edges:
		for _, to := range next {
			if to == s {
				return true
			}
			if !x.isPart(to) {
				continue
			}
			for _, known := range seen[:n] {
				if known == to {
					continue edges
				}
			}
			if n == closeSearch {
				return true
			}
			seen[n] = to
			n++
		}
	}
	return false
}

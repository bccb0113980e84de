package petri

// folding is how a Kripke structure has one state for markings that symmetries map to each other.
type folding struct {
	by               *Symmetries
	marking, scratch Marking
}

// Fold has each state stand for all its images by symmetries of the net, which must be plain. Firing
// then does not find what leads from one state to the next; a Trail does. It is called before anything
// is explored.
//
// A place that is found unbounded is: the way between two states leads from a marking to an image of
// a larger one. The images of the way can be fired after it, one after the other, until the marking
// is larger than the first one itself. Then Successors says so with an error.
func (k *Kripke) Fold(s *Symmetries) {
	places := k.space.net.Places()
	k.folding = &folding{s, make(Marking, places), make(Marking, places)}
	k.space.capGrowth = false // an image may have many tokens where a firing has left some out
}

// fold makes the packed successors in out those that stand for them. It returns -1, or the number of
// a field that is too narrow for one of them.
func (k *Kripke) fold() (narrow int) {
	if k.folding == nil {
		return -1
	}
	x := k.folding
	k.space.account.Add(len(k.out) / k.space.layout.words * x.by.Work(x.marking))
	return x.by.LowerAll(k.space.layout, k.out, x.marking, x.scratch)
}

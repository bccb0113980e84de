package stuttering

import (
	"cmp"

	"pnmc/automata"
	"pnmc/checker/product/internal/partition"
	"pnmc/checker/product/internal/states"
	"pnmc/checker/properties"
	"pnmc/petri"
	"pnmc/petri/multicore"
)

// Lasso turns what was found into a run of the graph, as that of Search does, and returns what finds the
// labels of its markings. It is for one thread of a run in which the others only meet.
func (t *Together) Lasso(w *multicore.Walker) (l Lasso, label func(petri.StateID) automata.Valuation, err error) {
	x := t.newSearcher(w)
	r := &roads{
		table: &x.table, graph: w, initial: t.kripke.Initial(), letter: x.letter, nodes: uint32(t.reader.States()), accepts: acceptsAll(t.alone.wanted),
		// What a search for livelocks has met may be in no set yet.
		met: func(p states.Pair) bool { return isMet(t.sets, p) || t.calm != nil && isMet(t.calm, p) },
	}
	l, err = r.lasso(&t.found.Finding, func(p states.Pair) bool {
		n := t.sets.Find(p)
		return n != 0 && t.sets.Same(n, t.found.number)
	}, t.found.marks)
	return l, func(s petri.StateID) automata.Valuation { return t.labels.Label(x.labelling.Of(s)) }, cmp.Or(x.full, err)
}

// isMet reports whether a thread has met a state.
func isMet(s *partition.Sets, p states.Pair) bool {
	n := s.Find(p)
	return n != 0 && s.IsMet(n)
}

// tell notes what the thread has explored, for progress, and tells that if the thread is the caller's.
func (x *searcher) tell() {
	s, t := x.walker.Explored()
	for i, v := range []int64{x.entered, x.explored, x.enteredAgain, x.exploredAgain, s, t} {
		x.told[i].Store(v)
	}
	if x.path.Thread != 0 || x.alone.Progress == nil {
		return
	}
	var sum [6]int64
	x.mutex.Lock()
	for _, other := range x.threads {
		for i := range sum {
			sum[i] += other.told[i].Load()
		}
	}
	x.mutex.Unlock()
	x.alone.Progress(statisticsOf(sum))
}

// statisticsOf returns what was explored: of the product, again for livelocks, and of the state graph.
func statisticsOf(n [6]int64) properties.Statistics {
	return properties.Statistics{
		ProductStates: n[0], ProductTransitions: n[1], ExploredStates: n[0] + n[2], ExploredTransitions: n[1] + n[3], States: n[4], Transitions: n[5],
	}
}

// Statistics returns what was explored. No thread may be at work.
func (t *Together) Statistics() properties.Statistics {
	var sum [6]int64
	for _, x := range t.threads {
		for i, v := range []int64{x.entered, x.explored, x.enteredAgain, x.exploredAgain} {
			sum[i] += v
		}
	}
	sum[4], sum[5] = t.kripke.Explored()
	return statisticsOf(sum)
}

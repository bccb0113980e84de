package twin

// System is what runs are taken from: a state graph, or a single word. Every
// position has a successor.
type System struct {
	Initial []int
	Next    [][]int
	// Letter has for each position a bit for each proposition.
	Letter []uint64
}

// Word is an infinite word: Prefix, and then Cycle for ever.
type Word struct{ Prefix, Cycle []uint64 }

// System returns that of the word alone.
func (w Word) System() *System {
	s := &System{Initial: []int{0}}
	s.Letter = append(append(s.Letter, w.Prefix...), w.Cycle...)
	for i := range s.Letter {
		s.Next = append(s.Next, []int{i + 1})
	}
	s.Next[len(s.Next)-1][0] = len(w.Prefix)
	return s
}

// Kripke returns the system of a whole graph, in which deadlocks repeat for ever.
func (g *Graph) Kripke(atoms []*Atom) *System {
	s := &System{Initial: []int{0}}
	for i, m := range g.Markings {
		s.Letter = append(s.Letter, letter(g.Net, m, atoms))
		var next []int
		for _, e := range g.Edges[i] {
			next = append(next, e.To)
		}
		if next == nil {
			next = []int{i}
		}
		s.Next = append(s.Next, next)
	}
	return s
}

// letter returns the atoms that hold in a marking, as bits.
func letter(n *Net, m []int64, atoms []*Atom) (v uint64) {
	for i, a := range atoms {
		if a.Holds(n, m) {
			v |= 1 << i
		}
	}
	return v
}

// tableau is a formula with its temporal operators, whose truth at a position is
// guessed: bit i for operator i.
//
// It is the textbook's construction, and not that of pnmc, which splits formulas into present and
// next. A state is a guess of which temporal subformulas hold here. follows checks that the guesses
// of two positions agree: X f holds here if f does at the next; f U g holds here if g does, or if f
// does and f U g holds at the next. What agreement can't see is an f U g that is always put off, and
// acceptance sets exclude that. With n temporal operators there are 2^n guesses, so that only small
// formulas are decided.
//
// For example, a U b at a position with a and without b. The guess that it holds agrees with the
// guess that it holds at the next position, and so on; the set of a U b has the positions at which it
// is not guessed or b holds, so that a run must come to b.
type tableau struct {
	root     *Formula
	atoms    map[*Atom]int
	temporal map[*Formula]int
	list     []*Formula
}

// newTableau numbers the atoms and the temporal subformulas of f, which a state of the tableau
// decides.
func newTableau(f *Formula, atoms []*Atom) *tableau {
	t := &tableau{root: f.core(), atoms: map[*Atom]int{}, temporal: map[*Formula]int{}}
	for i, a := range atoms {
		t.atoms[a] = i
	}
	t.root.visit(func(g *Formula) {
		if _, known := t.temporal[g]; !known && (g.Op == Next || g.Op == Until) {
			t.temporal[g] = len(t.list)
			t.list = append(t.list, g)
		}
	})
	return t
}

// value reports whether g holds where the guesses are v and the propositions l.
func (t *tableau) value(g *Formula, v, l uint64) bool {
	switch g.Op {
	case True:
		return true
	case Atomic:
		return l>>t.atoms[g.Atom]&1 == 1
	case Not:
		return !t.value(g.Left, v, l)
	case And:
		return t.value(g.Left, v, l) && t.value(g.Right, v, l)
	}
	return v>>t.temporal[g]&1 == 1
}

// follows reports whether the guesses v at letter l agree with v2 at l2, the next.
func (t *tableau) follows(v, l, v2, l2 uint64) bool {
	for i, g := range t.list {
		next := false
		if g.Op == Next {
			next = t.value(g.Left, v2, l2)
		} else {
			next = t.value(g.Right, v, l) || t.value(g.Left, v, l) && v2>>i&1 == 1
		}
		if next != (v>>i&1 == 1) {
			return false
		}
	}
	return true
}

// mostWork is up to when formulas are decided.
const mostWork = 3 << 20

// work estimates the steps that Some takes.
func (s *System) work(f *Formula) int {
	operators := len(newTableau(f, f.Atoms()).list)
	edges := 0
	for _, next := range s.Next {
		edges += len(next)
	}
	return edges << min(2*operators, 30)
}

// Some reports whether some run of the system satisfies f, a formula of LTL. Each
// until has a set of the positions at which it is not waiting, to be met again and
// again. It is not known where that takes too much.
func (s *System) Some(f *Formula, atoms []*Atom) (some, known bool) {
	if s.work(f) > mostWork {
		return false, false
	}
	t := newTableau(f, atoms)
	guesses := uint64(1) << len(t.list)
	all := uint64(0)
	p := newProduct()
	for _, i := range s.Initial {
		for v := range guesses {
			if t.value(t.root, v, s.Letter[i]) {
				p.number(i, int(v))
			}
		}
	}
	known = p.explore(func(i, state int, edge func(i, state int, marks uint64)) {
		v, l := uint64(state), s.Letter[i]
		marks := uint64(0)
		for k, g := range t.list {
			if g.Op == Next || v>>k&1 == 0 || t.value(g.Right, v, l) {
				marks |= 1 << k
			}
		}
		for _, j := range s.Next[i] {
			for v2 := range guesses {
				if t.follows(v, l, v2, s.Letter[j]) {
					edge(j, int(v2), marks)
				}
			}
		}
	})
	for k := range t.list {
		all |= 1 << k
	}
	if !known {
		return false, false
	}
	return p.accepts([]Disjunct{{Infinitely: all}}), true
}

// Accepted reports whether the automaton accepts some run of the system, whose
// letters are over the automaton's propositions. It is not known where that takes too
// much.
func (s *System) Accepted(a *Automaton) (accepted, known bool) {
	disjuncts, few := a.Acceptance.Disjuncts()
	if a, known = a.Plain(); !known || !few {
		return false, false
	}
	p := newProduct()
	p.startAll(s.Initial, a.Initial)
	known = p.explore(func(i, q int, edge func(i, q int, marks uint64)) {
		for _, e := range a.Edges[q] {
			if e.Label.Holds(s.Letter[i]) {
				for _, j := range s.Next[i] {
					edge(j, e.To, e.Marks)
				}
			}
		}
	})
	if !known {
		return false, false
	}
	return p.accepts(disjuncts), true
}

package draw

import "fmt"

// crowdsOf draws nets in which very many nodes of one kind stand around few of another, or pass by them together. What is
// made once for each net or engine, and not for each marking, takes long here, or much memory:
//
//   - tens of thousands of transitions between a few hundred places;
//   - a place with thousands of producers, which are all enabled;
//   - thousands of places that get more tokens than any proof says, one after the other;
//   - forks into thousands of branches, and joins.
func crowdsOf(s Source) *Net {
	w := newPNML("ptnet")
	switch s.IntN(4) {
	case 0:
		w.crowd(s, s.Magnitude(3, 300), large(s, 15_000))
	case 1:
		w.manyProducers(large(s, wideArcs/3), s.IntN(3))
	case 2:
		w.counters(large(s, wideArcs/4), s.Between(1, 40))
	default:
		branches := large(s, wideArcs/4)
		w.forkAndJoin(branches, min(6, max(1, wideArcs/4/branches)))
	}
	return w.net("")
}

// large draws a number up to most, which is most itself now and then.
func large(s Source, most int) int {
	if s.Chance(0.3) {
		return most
	}
	return s.Magnitude(10, most)
}

// crowd adds transitions that each take from some places and give to as many.
func (w *pnml) crowd(s Source, places, transitions int) {
	for i := range places {
		w.place(fmt.Sprint("p", i), fmt.Sprint(i%2))
	}
	arcs := min(12, places/2, max(1, wideArcs/2/transitions))
	for i := range transitions {
		t := fmt.Sprint("t", i)
		w.transition(t)
		at, step := s.IntN(places), s.Between(1, max(1, places/max(1, arcs)-1))
		for k := range arcs {
			w.arc(fmt.Sprint("p", (at+k*step)%places), t, "1")
			w.arc(t, fmt.Sprint("p", (at+k*step+1)%places), "1")
		}
	}
}

// manyProducers adds a place to which each of n transitions gives a token: once; or without end; or once, and what there is
// of it makes more.
func (w *pnml) manyProducers(n, kind int) {
	w.place("full", "0")
	w.many("p", "1", n)
	for i := range n {
		t, p := fmt.Sprint("t", i), fmt.Sprint("p", i)
		w.transition(t)
		w.arc(p, t, "1")
		w.arc(t, "full", "1")
		if kind == 1 {
			w.arc(t, p, "1")
		}
	}
	if kind == 2 {
		w.transition("more")
		w.arc("full", "more", "3")
		w.arc("more", "full", "5")
	}
}

// counters adds n places that get up to so many tokens each, from a place that is filled again as often as a clock allows.
func (w *pnml) counters(n, most int) {
	w.place("clock", fmt.Sprint(most))
	w.place("now", "1")
	w.many("c", "0", n)
	w.transition("tick")
	w.arc("clock", "tick", "1")
	w.arc("tick", "now", "1")
	for i := range n {
		t := fmt.Sprint("t", i)
		w.transition(t)
		w.arc("now", t, "1")
		w.arc(t, fmt.Sprint("c", i), fmt.Sprint(1+i%3))
		w.arc(t, fmt.Sprint("c", (i+1)%n), "2")
	}
}

// forkAndJoin adds a circle: a transition begins all branches, each of which has so many places, and one ends all.
func (w *pnml) forkAndJoin(branches, places int) {
	w.place("idle", "1")
	for _, t := range []string{"fork", "join"} {
		w.transition(t)
	}
	w.arc("idle", "fork", "1")
	w.arc("join", "idle", "1")
	for i := range branches {
		for j := range places {
			p := fmt.Sprintf("b%d_%d", i, j)
			w.place(p, "0")
			if j == 0 {
				w.arc("fork", p, "1")
			} else {
				t := fmt.Sprintf("s%d_%d", i, j)
				w.transition(t)
				w.arc(fmt.Sprintf("b%d_%d", i, j-1), t, "1")
				w.arc(t, p, "1")
			}
			if j == places-1 {
				w.arc(p, "join", "1")
			}
		}
	}
}

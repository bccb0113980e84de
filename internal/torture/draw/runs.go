package draw

import (
	"fmt"
	"strconv"
)

// longRuns draws nets of few nodes whose markings follow one another in a single run of up to a million steps, at whose
// end what is asked for happens. What is made of each step of a counterexample takes long here, or much memory: a letter
// for each question, a line of a trace, the truth of each part of a formula, a position on a page.
//
//   - A binary counter, which ends when all its bits are set. With the last bit given back, it goes round.
//   - Tokens that move from one place to another, one by one or by weights. There may be a thousand other places, so
//     that each marking is large.
func longRuns(s Source) *Net {
	w := newPNML("ptnet")
	var numbers []int64
	if s.Chance(0.5) {
		w.counter(s.Magnitude(6, 17), s.Chance(0.3))
	} else {
		tokens := s.Magnitude(100, 1_000_000)
		w.drain(tokens, Pick(s, 1, 1, 1, 3), s.Chance(0.3))
		numbers = []int64{int64(tokens), int64(tokens) - 1, int64(tokens / 2)}
		if s.Chance(0.2) {
			w.many("idle", "1", s.Magnitude(10, 1000))
		}
	}
	n := w.net("")
	n.Tokens = numbers
	return n
}

// counter adds a number of so many bits, each of two places, and its increment: for each bit, a transition that sets it
// and clears those before. If it goes round, one clears all.
func (w *pnml) counter(bits int, round bool) {
	bit := func(i, value int) string { return fmt.Sprintf("b%d_%d", i, value) }
	for i := range bits {
		w.place(bit(i, 1), "0")
		w.place(bit(i, 0), "1")
	}
	for i := range bits + 1 {
		if i == bits && !round {
			return
		}
		t := fmt.Sprint("t", i)
		w.transition(t)
		for k := range i {
			w.arc(bit(k, 1), t, "1")
			w.arc(t, bit(k, 0), "1")
		}
		if i < bits {
			w.arc(bit(i, 0), t, "1")
			w.arc(t, bit(i, 1), "1")
		}
	}
}

// drain adds two places, and a transition that moves tokens from the first to the second, so many at a time. If it is
// filled again, another moves all of them back at the end.
func (w *pnml) drain(tokens, at int, again bool) {
	w.place("full", strconv.Itoa(tokens))
	w.place("empty", "0")
	w.transition("move")
	w.arc("full", "move", strconv.Itoa(at))
	w.arc("move", "empty", strconv.Itoa(at))
	if again {
		w.transition("fill")
		w.arc("empty", "fill", strconv.Itoa(tokens/at*at))
		w.arc("fill", "full", strconv.Itoa(tokens/at*at))
	}
}

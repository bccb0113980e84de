package partition_test

import (
	"errors"
	"math/rand/v2"
	"testing"

	"pnmc/checker/product/internal/partition"
	"pnmc/checker/product/internal/states"
	"pnmc/internal/account"
	"pnmc/petri"
)

// TestNumbersEnd: the last numbers that there are lead back to their pairs, and unite with others. Then
// it is told that there are no more, again and again, and what has a number keeps it.
func TestNumbersEnd(t *testing.T) {
	s := partition.New(2, give)
	s.UseUp(20)
	f := partition.Finder{Sets: s, Account: account.New(account.Budget{})}
	given := map[partition.Number]states.Pair{}
	over := 0
	for i := range 100 {
		p := states.Pair{S: petri.StateID(64 * i), Q: uint32(i % 2)}
		n, err := f.Number(p.S, p.Q)
		if errors.Is(err, states.ErrTooMany) {
			over++
			continue
		}
		if err != nil || s.Pair(n) != p || over > 0 {
			t.Fatalf("%v has number %d, which is of %v; %v, after %d without one", p, n, s.Pair(n), err, over)
		}
		if q, twice := given[n]; twice {
			t.Fatalf("%v and %v have number %d", p, q, n)
		}
		given[n] = p
	}
	if len(given) != 20 || over != 80 {
		t.Errorf("%d numbers were given, %d were not", len(given), over)
	}
	first := partition.Number(0)
	for n, p := range given {
		if again, err := f.Number(p.S, p.Q); again != n || err != nil {
			t.Errorf("%v has number %d, then %d, %v", p, n, again, err)
		}
		if first == 0 {
			first = n
		}
		s.Claim(n, 0)
		s.Unite(first, n)
	}
	for n := range given {
		if !s.Same(first, n) {
			t.Errorf("%d is not in the set of %d", n, first)
		}
	}
}

// TestAutomatonGrows: pairs have their numbers however many states the automaton gets, and others have
// others, for all threads.
func TestAutomatonGrows(t *testing.T) {
	const threads, n = 8, 600
	pair := func(i int) states.Pair {
		return states.Pair{S: petri.StateID(i % 20 * 50_000), Q: uint32(i/20*i/20) % 1_000}
	}
	distinct := map[states.Pair]bool{}
	for i := range n {
		distinct[pair(i)] = true
	}
	for range 10 {
		s := partition.New(3, give)
		found := make([][]partition.Number, threads)
		together(threads, func(thread int) {
			f := partition.Finder{Sets: s, Account: account.New(account.Budget{})}
			found[thread] = make([]partition.Number, n)
			for _, i := range rand.Perm(n) {
				p := pair(i)
				found[thread][i], _ = f.Number(p.S, p.Q)
			}
		})
		of := map[partition.Number]states.Pair{}
		for i := range n {
			for thread := range threads {
				if got := found[thread][i]; got != found[0][i] || got == 0 || s.Pair(got) != pair(i) || s.Find(pair(i)) != got {
					t.Fatalf("%v has number %d for one thread, %d for another; that is of %v", pair(i), got, found[0][i], s.Pair(got))
				}
			}
			of[found[0][i]] = pair(i)
		}
		if len(of) != len(distinct) {
			t.Fatalf("%d numbers of %d pairs", len(of), len(distinct))
		}
		if got := s.Find(states.Pair{S: 7, Q: 1 << 31}); got != 0 {
			t.Fatalf("number %d of what nobody has asked for", got)
		}
	}
}

// TestRecordsEnd: a thread that goes over states which another one has met makes a record for each, and is told in time that
// there are no more.
func TestRecordsEnd(t *testing.T) {
	s := partition.New(1, give)
	f := partition.Finder{Sets: s, Account: account.New(account.Budget{})}
	var numbers []partition.Number
	for i := range petri.StateID(1000) {
		n, err := f.Number(i, 0)
		if err != nil {
			t.Fatal(err)
		}
		s.Claim(n, 0)
		numbers = append(numbers, n)
	}
	s.UseUpRecords(20)
	for i, n := range numbers {
		if err := f.Room(); err != nil {
			if i < 20 || i > 40 || !errors.Is(err, states.ErrTooMany) {
				t.Errorf("after %d states: %v", i, err)
			}
			for _, n := range numbers { // those of one state may be more
				s.Claim(n, 1)
			}
			return
		}
		s.Claim(n, 1)
	}
	t.Error("it was not told that there are no more records")
}

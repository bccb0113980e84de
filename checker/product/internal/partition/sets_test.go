package partition_test

import (
	"fmt"
	"math/rand/v2"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"testing"

	"pgregory.net/rapid"

	"pnmc/checker/product/internal/partition"
	"pnmc/checker/product/internal/states"
	"pnmc/internal/account"
	"pnmc/petri"
)

// give lets other threads go on, now and then.
func give() {
	if rand.IntN(8) == 0 {
		runtime.Gosched()
	}
}

// apart are pairs that lie in few blocks, and in pages far from each other.
func apart(i int) states.Pair {
	return states.Pair{S: petri.StateID(i/3%100 + i/300<<17), Q: uint32(i % 3)}
}

// numbered returns sets with the numbers of n pairs.
func numbered(t rapid.TB, n int) (*partition.Sets, []partition.Number) {
	s := partition.New(3, give)
	f := partition.Finder{Sets: s, Account: account.New(account.Budget{})}
	numbers := make([]partition.Number, n)
	for i := range numbers {
		p := apart(i)
		var err error
		if numbers[i], err = f.Number(p.S, p.Q); err != nil || numbers[i] == 0 {
			t.Fatalf("%v has number %d, %v", p, numbers[i], err)
		}
	}
	return s, numbers
}

// naive are sets as a list of who belongs to which, with their marks.
type naive struct{ of, marks, met []uint32 }

func newNaive(n int) *naive {
	s := &naive{make([]uint32, n), make([]uint32, n), make([]uint32, n)}
	for i := range s.of {
		s.of[i] = uint32(i)
	}
	return s
}

func (s *naive) unite(a, b int) {
	to, from := s.of[a], s.of[b]
	if to == from {
		return
	}
	s.marks[to] |= s.marks[from]
	s.met[to] |= s.met[from]
	for i, of := range s.of {
		if of == from {
			s.of[i] = to
		}
	}
}

// TestSetsAgreeWithNaiveOnes: one thread does what the others do, too.
func TestSetsAgreeWithNaiveOnes(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 40).Draw(t, "states")
		s, numbers := numbered(t, n)
		want := newNaive(n)
		for range rapid.IntRange(0, 80).Draw(t, "steps") {
			a, b := rapid.IntRange(0, n-1).Draw(t, "a"), rapid.IntRange(0, n-1).Draw(t, "b")
			bits := rapid.Uint32Range(0, 15).Draw(t, "marks")
			switch rapid.IntRange(0, 3).Draw(t, "what") {
			case 0:
				want.unite(a, b)
				s.Unite(numbers[a], numbers[b])
			case 1:
				if want.met[want.of[a]] == 0 {
					break // edges are of states that were met
				}
				want.marks[want.of[a]] |= bits
				if got := s.Mark(numbers[a], bits); got != want.marks[want.of[a]] {
					t.Fatalf("marks %b, should be %b", got, want.marks[want.of[a]])
				}
			case 2:
				thread := uint(bits % 3)
				met, single := want.met[want.of[a]], !slices.ContainsFunc(numbers, func(o partition.Number) bool { return o != numbers[a] && s.Same(o, numbers[a]) })
				expected := partition.Fresh
				if met&(1<<thread) != 0 {
					expected = partition.Met
				} else if met == 0 && single {
					expected = partition.First
				}
				// What others have met is left to them first, at times.
				if met&^(1<<thread) == met && met != 0 && bits&8 != 0 {
					if got := s.ClaimUnlessOthers(numbers[a], thread); got != partition.Others {
						t.Fatalf("claim %d, should be %d", got, partition.Others)
					}
					break
				}
				claim := s.Claim
				if met&(1<<thread) != 0 || met == 0 {
					claim = s.ClaimUnlessOthers // is the same
				}
				if got := claim(numbers[a], thread); got != expected && !(met == 0 && !single) {
					t.Fatalf("claim %d, should be %d", got, expected)
				}
				want.met[want.of[a]] |= 1 << thread
			case 3:
				if got := s.Same(numbers[a], numbers[b]); got != (want.of[a] == want.of[b]) {
					t.Fatalf("same: %v, should be %v", got, !got)
				}
			}
		}
		finishAll(t, s, numbers, want, 1)
	})
}

// finishAll has threads pick states until each set is dead, and fails unless each state was picked by
// one that is in its set, and done once.
func finishAll(t rapid.TB, s *partition.Sets, numbers []partition.Number, want *naive, threads int) {
	index := map[partition.Number]int{}
	for i, n := range numbers {
		index[n] = i
	}
	var done atomic.Int64
	together(threads, func(int) {
		for _, from := range rand.Perm(len(numbers)) {
			at := numbers[from]
			for {
				picked, ok := s.Pick(at)
				if !ok {
					break
				}
				if want.of[index[picked]] != want.of[from] {
					t.Errorf("%d was picked for %d, which is in another set", index[picked], from)
					return
				}
				if s.Finish(picked) {
					done.Add(1)
				}
				at = picked
			}
			if !s.IsDead(numbers[from]) || s.Claim(numbers[from], 0) != partition.Dead {
				t.Errorf("%d is not dead", from)
			}
		}
	})
	if done.Load() != int64(len(numbers)) {
		t.Fatalf("%d states are done, of %d", done.Load(), len(numbers))
	}
}

// together calls f with the number of each thread, at the same time.
func together(threads int, f func(thread int)) {
	var all sync.WaitGroup
	for thread := range threads {
		all.Go(func() { f(thread) })
	}
	all.Wait()
}

// TestThreadsUnite: however threads come between each other, the sets are those of all unions
// together, with all marks, who has met them, and all states in their lists.
func TestThreadsUnite(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n, threads := rapid.IntRange(2, 300).Draw(t, "states"), rapid.IntRange(2, 8).Draw(t, "threads")
		s, numbers := numbered(t, n)
		want := newNaive(n)
		type union struct {
			a, b  int
			marks uint32
		}
		work := make([][]union, threads)
		for i := range rapid.IntRange(1, 2*n).Draw(t, "unions") {
			u := union{rand.IntN(n), rand.IntN(n), 1 << rand.IntN(32)}
			work[i%threads] = append(work[i%threads], u)
			want.unite(u.a, u.b)
			want.marks[want.of[u.a]] |= u.marks
			want.met[want.of[u.a]] |= 1 << (i % threads)
		}
		together(threads, func(thread int) {
			for _, u := range work[thread] {
				s.Claim(numbers[u.a], uint(thread))
				s.Mark(numbers[u.b], u.marks)
				s.Unite(numbers[u.a], numbers[u.b])
				if !s.Same(numbers[u.a], numbers[u.b]) {
					t.Errorf("%d and %d were united and are not the same", u.a, u.b)
				}
				if s.Claim(numbers[u.b], uint(thread)) == partition.Dead {
					t.Errorf("%d is dead", u.b)
				}
			}
		})
		for i := range numbers {
			if got := s.Mark(numbers[i], 0); got != want.marks[want.of[i]] {
				t.Fatalf("%d has marks %b, should have %b", i, got, want.marks[want.of[i]])
			}
			for thread := range uint(threads) {
				if want.met[want.of[i]]&(1<<thread) != 0 && s.Claim(numbers[i], thread) != partition.Met {
					t.Fatalf("%d is not met by thread %d", i, thread)
				}
			}
			if j := rand.IntN(n); s.Same(numbers[i], numbers[j]) != (want.of[i] == want.of[j]) {
				t.Fatalf("%d and %d: same is wrong", i, j)
			}
		}
		finishAll(t, s, numbers, want, threads)
	})
}

// TestPickedIsInTheSet: while two sets unite, whoever picks a state for one that is done gets one of
// the same set, although what is picked is done at once. The first state of each set is not.
func TestPickedIsInTheSet(t *testing.T) {
	for range 100 {
		const size = 6
		s, numbers := numbered(t, 2*size)
		for i := range 2 * size {
			s.Unite(numbers[i], numbers[i/size*size])
		}
		var over atomic.Bool
		together(4, func(thread int) {
			if thread == 0 {
				s.Unite(numbers[rand.IntN(size)], numbers[size+rand.IntN(size)])
				over.Store(true)
				return
			}
			for !over.Load() {
				n := numbers[rand.IntN(2*size)]
				picked, ok := s.Pick(n)
				if !ok || !s.Same(picked, n) {
					t.Errorf("%d was picked for %d, %v, which is not in its set", picked, n, ok)
					return
				}
				if picked != numbers[0] && picked != numbers[size] {
					s.Finish(picked)
				}
			}
		})
		if !s.Same(numbers[1], numbers[2*size-1]) {
			t.Fatal("one set was to come out")
		}
	}
}

// TestThreadsNumber: threads find the same number for a pair, and different ones for different pairs,
// which lead back to the pairs.
func TestThreadsNumber(t *testing.T) {
	for range 50 {
		const threads, n = 8, 1000
		s := partition.New(3, give)
		found := make([][]partition.Number, threads)
		together(threads, func(thread int) {
			f := partition.Finder{Sets: s, Account: account.New(account.Budget{})}
			found[thread] = make([]partition.Number, n)
			for _, i := range rand.Perm(n) {
				p := apart(i)
				found[thread][i], _ = f.Number(p.S, p.Q)
			}
		})
		for i := range n {
			for thread := range threads {
				if got := found[thread][i]; got != found[0][i] || got == 0 || s.Pair(got) != apart(i) || s.Find(apart(i)) != got || int(got) >= s.Numbers() {
					t.Fatalf("%v has number %d for one thread, %d for another; that is of %v", apart(i), got, found[0][i], s.Pair(got))
				}
			}
		}
	}
}

// TestFirst: of threads that claim a state, one is the first.
func TestFirst(t *testing.T) {
	s, numbers := numbered(t, 500)
	var first atomic.Int64
	together(8, func(thread int) {
		for _, n := range numbers {
			switch s.Claim(n, uint(thread)) {
			case partition.First:
				first.Add(1)
			case partition.Fresh:
			default:
				t.Error("a state that was not met is")
			}
		}
	})
	if first.Load() != 500 {
		t.Errorf("%d claims were the first, of 500 states", first.Load())
	}
}

// TestNoRoom: without memory there is no number, and the reason is told.
func TestNoRoom(t *testing.T) {
	f := partition.Finder{Sets: partition.New(1000, nil), Account: account.New(account.Budget{MemoryBytes: 1})}
	if n, err := f.Number(5, 7); err == nil {
		t.Errorf("number %d without room", n)
	}
	if n := f.Find(states.Pair{S: 5, Q: 7}); n != 0 {
		t.Errorf("number %d was not given", n)
	}
}

func ExampleSets() {
	s := partition.New(1, nil)
	f := partition.Finder{Sets: s, Account: account.New(account.Budget{})}
	a, _ := f.Number(0, 0)
	b, _ := f.Number(1, 0)
	fmt.Println(s.Claim(a, 0) == partition.First, s.Claim(b, 0) == partition.First)
	s.Unite(a, b) // a cycle goes through both
	s.Finish(a)
	picked, _ := s.Pick(a)
	fmt.Println(s.Same(a, b), picked == b)
	// Output:
	// true true
	// true true
}

// ExamplePath goes from a to b to c, where an edge leads back to b, which closes a cycle that has the marks of its edges.
// There is no way from b back to a.
func ExamplePath() {
	s := partition.New(1, nil)
	p := partition.Path[string]{Finder: partition.Finder{Sets: s, Account: account.New(account.Budget{})}}
	var numbers []partition.Number
	for i, name := range []string{"a", "b", "c"} {
		n, _ := p.Number(petri.StateID(i), 0)
		s.Claim(n, p.Thread)
		p.Enter(n, 1<<i).Frame = name
		numbers = append(numbers, n)
	}
	fmt.Printf("%b\n", s.Mark(p.Top().At, p.Close(numbers[1], 1<<5)))
	for p.Len() > 0 {
		name := p.Top().Frame
		s.Finish(p.Top().At)
		picked, marks, inside := p.Leave()
		fmt.Printf("%s: picked %d, marks %b, inside %v\n", name, picked, marks, inside)
	}
	fmt.Println(s.IsDead(numbers[0]), s.IsDead(numbers[2]))
	// Output:
	// 100100
	// c: picked 0, marks 100, inside true
	// b: picked 0, marks 0, inside false
	// a: picked 0, marks 0, inside false
	// true true
}

// TestMarksWhereOthersUnite: a thread goes from a to b, which another thread unites meanwhile by another way. The marks of
// the edge are there when the first thread comes back.
func TestMarksWhereOthersUnite(t *testing.T) {
	s := partition.New(1, nil)
	var threads [2]partition.Path[struct{}]
	for i := range threads {
		threads[i] = partition.Path[struct{}]{Finder: partition.Finder{Sets: s, Account: account.New(account.Budget{})}, Thread: uint(i)}
	}
	first, second := &threads[0], &threads[1]
	var a, other, b partition.Number
	for i, n := range []*partition.Number{&a, &other, &b} {
		*n, _ = first.Number(petri.StateID(i), 0)
	}
	enter := func(p *partition.Path[struct{}], n partition.Number, marks uint32) {
		if claim := s.Claim(n, p.Thread); claim != partition.First && claim != partition.Fresh {
			t.Fatalf("thread %d: %d is %d", p.Thread, n, claim)
		}
		p.Enter(n, marks)
	}
	enter(first, a, 0)
	enter(first, other, 0)
	s.Mark(other, first.Close(a, 0)) // a and other reach each other
	if _, marks, inside := first.Leave(); marks != 0 || !inside {
		t.Fatalf("marks %b, inside: %v", marks, inside)
	}
	enter(second, other, 0)
	enter(second, b, 0)
	enter(first, b, 0b100)
	if marks := s.Mark(b, second.Close(other, 0)); marks != 0 {
		t.Fatalf("marks %b", marks)
	}
	s.Finish(b)
	if picked, marks, inside := first.Leave(); picked != 0 || marks != 0b100 || !inside {
		t.Errorf("back from %d: picked %d, marks %b, inside: %v", b, picked, marks, inside)
	}
}

// TestBuried: of threads that bury a state or claim it, one has it, and who comes later finds it dead
// where it was buried.
func TestBuried(t *testing.T) {
	s, numbers := numbered(t, 500)
	var buried, claimed atomic.Int64
	together(8, func(thread int) {
		for _, n := range numbers {
			if thread%2 == 0 {
				if s.Bury(n) {
					buried.Add(1)
				}
			} else if s.Claim(n, uint(thread)) == partition.First {
				claimed.Add(1)
			}
		}
	})
	dead := int64(0)
	for _, n := range numbers {
		if s.Bury(n) || !s.IsMet(n) {
			t.Errorf("%d is met by nobody", n)
		}
		if s.IsDead(n) {
			dead++
			if !s.IsDone(n) || s.Finish(n) || s.ClaimUnlessOthers(n, 3) != partition.Dead {
				t.Errorf("%d is buried, and not done", n)
			}
			if _, ok := s.Pick(n); ok {
				t.Errorf("%d is picked though it is buried", n)
			}
		}
	}
	if dead != buried.Load() || dead+claimed.Load() != 500 {
		t.Errorf("%d are dead, %d were buried, %d claimed, of 500", dead, buried.Load(), claimed.Load())
	}
}

// TestWithin: it is known of an edge that it stays in the set, and adds no marks, once an edge to the set was
// seen, and as long as no mark is new.
func TestWithin(t *testing.T) {
	s := partition.New(1, nil)
	p := partition.Path[struct{}]{Finder: partition.Finder{Sets: s, Account: account.New(account.Budget{})}}
	var n [4]partition.Number
	for i := range n {
		n[i], _ = p.Number(petri.StateID(i), 0)
		if i < 3 {
			s.Claim(n[i], 0)
			p.Enter(n[i], 0)
		}
	}
	if p.IsWithin(n[0], 0) || p.IsWithin(n[2], 0) || p.IsWithin(n[3], 0) {
		t.Error("nothing is known yet")
	}
	s.Mark(n[2], p.Close(n[1], 1))
	for i, want := range []bool{false, true, true, false} {
		if p.IsWithin(n[i], 1) != want || p.IsWithin(n[i], 2) {
			t.Errorf("%d: within is not %v, or with a mark that is new", i, want)
		}
	}
	s.Claim(n[3], 1)
	s.Unite(n[3], n[0])
	s.Unite(n[1], n[0])
	for i := range n {
		if p.IsWithin(n[i], 4) {
			t.Errorf("%d: within with a mark that is new", i)
		}
	}
	s.Finish(n[2])
	if _, _, inside := p.Leave(); !inside || p.IsWithin(n[0], 2) {
		t.Error("the state below is in the set, and a mark is new there, too")
	}
}

// TestJoinedIsPicked: a state joins the set of another one, which is done as soon as the state is seen to be
// in the set. The set is not dead then: the state is picked.
func TestJoinedIsPicked(t *testing.T) {
	for range 2000 {
		s, n := numbered(t, 2)
		s.Claim(n[0], 0)
		s.Claim(n[0], 1)
		s.Claim(n[1], 0)
		together(2, func(thread int) {
			if thread == 0 {
				s.Unite(n[0], n[1])
				return
			}
			for s.ClaimUnlessOthers(n[1], 1) != partition.Met {
				give()
			}
			s.Finish(n[0])
			if picked, ok := s.Pick(n[0]); !ok || picked != n[1] {
				t.Errorf("%d was picked, %v, should be %d", picked, ok, n[1])
			}
		})
		if t.Failed() {
			return
		}
	}
}

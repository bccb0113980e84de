package symbolic

import (
	"context"
	"errors"
	"fmt"
	"math/big"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"pnmc/internal/account"
	"pnmc/internal/petritest"
	"pnmc/logic"
	"pnmc/petri"
)

// drawPlain draws a system such as a net is, in which no event adds tokens: a few
// states. One event in four takes two tokens of one place or puts them there.
func drawPlain(t *rapid.T) *System {
	n := rapid.IntRange(2, 6).Draw(t, "places")
	s := &System{Names: make([]string, n), Initial: rapid.SliceOfN(rapid.Uint32Range(0, 1), n, n).Draw(t, "initial")}
	place := rapid.Uint32Range(0, uint32(n-1))
	for range rapid.IntRange(1, 6).Draw(t, "events") {
		pre := rapid.SliceOfN(place, 1, 3).Draw(t, "pre")
		post := rapid.SliceOfN(place, 0, len(pre)).Draw(t, "post")
		low, delta := map[uint32]uint32{}, map[uint32]int64{}
		for _, p := range pre {
			low[p]++
			delta[p]--
		}
		for _, p := range post {
			low[p] += 0
			delta[p]++
		}
		var e Event
		for p := range uint32(n) {
			if _, ok := low[p]; ok {
				e = append(e, Guard{p, low[p], noLimit, delta[p]})
			}
		}
		s.Events = append(s.Events, e)
	}
	return s
}

// decoded returns the states that s found, as tokens by place.
func (s *StateSpace) decoded() vectorSet {
	states := vectorSet{}
	for _, v := range s.statesOf(s.Reachable) {
		tokens := make([]uint32, s.System.Places())
		for p := range tokens {
			code := s.System.code(uint32(p))
			tokens[p] = code.tokens(v[code.Variable])
		}
		states.add(tokens)
	}
	return states
}

// TestGroups takes any places as groups: either some reachable state has two tokens
// in one, and that is told, or the states are those of the system without groups.
func TestGroups(t *testing.T) {
	accepted, refused := 0, 0
	if !petritest.CheckUntil(t, func() bool { return accepted > 0 && refused > 0 }, func(t *rapid.T) {
		plain := drawPlain(t)
		states, firings, finished := plain.explore(naiveLimit)
		if !finished {
			return // too many states
		}
		groups := rapid.SliceOfN(rapid.SliceOfNDistinct(rapid.Uint32Range(0, uint32(len(plain.Names)-1)), 0, 4, rapid.ID[uint32]), 1, 3).Draw(t, "groups")
		s, err := plain.grouped(new(account.Account), groups)
		must(t, err)
		if s == nil {
			return // no group of two places with at most one token
		}
		safe := true
		for _, v := range states {
			tokens := make([]uint32, len(s.Names))
			for p, n := range v {
				if code := s.Codes[p]; code.Mark != 0 {
					tokens[code.Variable] += n
				}
			}
			safe = safe && slices.Max(tokens) <= 1
		}
		space, err := ExploreSystem(context.Background(), s, Options{})
		if !safe {
			refused++
			if !errors.Is(err, errExcluded) {
				t.Fatalf("groups %v: got %v, want %v", groups, err, errExcluded)
			}
			return
		}
		must(t, err)
		accepted++
		if g, w := space.decoded().keys(), states.keys(); !slices.Equal(g, w) {
			t.Fatalf("states %v, want %v", g, w)
		}
		if g, err := space.Firings(context.Background()); err != nil || g.Cmp(big.NewInt(int64(firings))) != 0 {
			t.Fatalf("%v firings, want %d", g, firings)
		}
		checkTokens(t, space, states)
		p := drawPredicate(t, plain, 2)
		n, err := space.Satisfying(p)
		must(t, err)
		want := 0
		for _, v := range states {
			if holds(plain, p, v) {
				want++
			}
		}
		if got := space.Forest.Count(n); got.Cmp(big.NewInt(int64(want))) != 0 {
			t.Fatalf("%v states satisfy the predicate, want %d", got, want)
		}
	}) {
		t.Errorf("%d sets of groups accepted, %d refused", accepted, refused)
	}
}

// checkTokens compares what is told of tokens with the states.
func checkTokens(t *rapid.T, space *StateSpace, states vectorSet) {
	bounds := make([]uint32, space.System.Places())
	weights := rapid.SliceOfN(rapid.Int64Range(-3, 3), len(bounds), len(bounds)).Draw(t, "weights")
	best, first := int64(0), true
	for _, v := range states {
		sum := int64(0)
		for p, n := range v {
			bounds[p] = max(bounds[p], n)
			sum += weights[p] * int64(n)
		}
		if first || sum > best {
			best, first = sum, false
		}
		vector, ok := space.Vector(func(p uint32) int64 { return int64(v[p]) })
		if !ok || !space.Forest.Contains(space.Reachable, vector) {
			t.Fatalf("state %v has the vector %v, %v", v, vector, ok)
		}
	}
	if got := space.PlaceBounds(); !slices.Equal(got, bounds) {
		t.Fatalf("bounds %v, want %v", got, bounds)
	}
	got, err := space.LargestSum(weights)
	must(t, err)
	if got.Cmp(big.NewInt(best)) != 0 {
		t.Fatalf("largest sum %v, want %d", got, best)
	}
}

// TestNetEncodings explores random nets, some of which lie about their units, and
// compares with their graphs.
func TestNetEncodings(t *testing.T) {
	var grouped [2]int // where units are claimed to be safe, and where that is likely only
	if !petritest.CheckUntil(t, func() bool { return grouped[0] > 0 && grouped[1] > 0 }, func(t *rapid.T) {
		net := petritest.StateMachines(rapid.Bool().Draw(t, "lying")).Draw(t, "net")
		likely := 0
		if rapid.Bool().Draw(t, "likely") {
			likely = 1
			net.NUPN().Safe, net.NUPN().Likely = false, true
		}
		g, complete := petritest.Explore(net, naiveLimit)
		if !complete {
			return // too many markings
		}
		s, err := Explore(context.Background(), net, Options{Encoding: PerGroup})
		must(t, err)
		if s.System.Codes != nil && slices.ContainsFunc(s.System.Codes, func(c Code) bool { return c.Mark > 1 }) {
			grouped[likely]++
		}
		if likely > 0 && net.FalseClaim() != nil {
			t.Fatal("what nobody claims is refuted")
		}
		firings, dead := 0, 0
		for i, m := range g.Markings {
			firings += len(g.Edges[i])
			if len(g.Edges[i]) == 0 {
				dead++
			}
			v, ok := s.Vector(func(p uint32) int64 { return m[p] })
			if !ok || !s.Forest.Contains(s.Reachable, v) {
				t.Fatalf("marking %v is not there", m)
			}
		}
		deadlocks, err := s.DeadlockCount(context.Background())
		must(t, err)
		fired, err := s.Firings(context.Background())
		must(t, err)
		got := fmt.Sprint(s.States(), fired, deadlocks)
		if want := fmt.Sprint(len(g.Markings), firings, dead); got != want {
			t.Fatalf("states, firings, deadlocks %s, want %s", got, want)
		}
	}) {
		t.Error("no net had a group")
	}
}

// TestVectorOutside: markings that the encoding can't tell have no vector.
func TestVectorOutside(t *testing.T) {
	s, err := Explore(t.Context(), petritest.Philosophers(3), Options{Encoding: PerGroup})
	must(t, err)
	if s.System.Codes == nil {
		t.Fatal("philosophers have no group")
	}
	for name, tokens := range map[string]int64{"two": 2, "negative": -1, "all": 1} {
		if _, ok := s.Vector(func(uint32) int64 { return tokens }); ok {
			t.Errorf("%s: a vector was made of what no group can tell", name)
		}
	}
	fireable, err := s.Satisfying(&logic.Predicate{Operator: logic.Fireable, Transitions: []uint32{uint32(petri.Transition(0))}})
	must(t, err)
	if fireable == Empty {
		t.Error("the first transition never fires")
	}
}

func TestParseEncoding(t *testing.T) {
	for _, e := range []Encoding{PerPlace, PerGroup} {
		if got, err := ParseEncoding(e.String()); err != nil || got != e {
			t.Errorf("%v reads back as %v, %v", e, got, err)
		}
	}
	if _, err := ParseEncoding("tokens"); err == nil {
		t.Error("an encoding that there is not was read")
	}
}

// manyGroups returns a net with one transition that takes from so many units and puts into as many others, and
// whose units claim that it is safe. Unit full has a token more, unless that is negative.
func manyGroups(t *testing.T, units, full int) *petri.Net {
	t.Helper()
	b := &petri.Builder{}
	u, err := b.AddTransition("t", "")
	nupn := &petri.NUPN{Safe: true}
	for i := range 2 * units {
		var pair [2]petri.Place
		for j := range pair {
			var failed error
			tokens := int64((1 - i%2) * (1 - j))
			if i == full && j == 1 {
				tokens = 1
			}
			pair[j], failed = b.AddPlace(fmt.Sprint(i, "-", j), "", tokens)
			err = errors.Join(err, failed)
		}
		if i%2 == 0 {
			err = errors.Join(err, b.AddInput(pair[0], u, 1))
		} else {
			err = errors.Join(err, b.AddOutput(u, pair[0], 1))
		}
		nupn.Units = append(nupn.Units, petri.Unit{ID: fmt.Sprint("u", i), Places: pair[:]})
	}
	b.SetNUPN(nupn)
	net, failed := b.Build()
	must(t, errors.Join(err, failed))
	return net
}

// TestManyExclusions: what an event excludes shares its guards, of which there would be the square otherwise, and all
// of it is looked for: where one of many units has two tokens, that is told, whichever it is.
func TestManyExclusions(t *testing.T) {
	const units = 300
	for _, full := range []int{-1, 599} { // a unit that has a token already, and gets another one
		net := manyGroups(t, units, full)
		plain, flows, err := netSystem(t.Context(), net)
		must(t, err)
		excluded := netEncodings(t.Context(), net, plain, flows)[0].Excluded
		if len(excluded) != units || &excluded[0].Guards[0] != &excluded[units-1].Guards[0] {
			t.Errorf("%d exclusions, or guards that are not shared", len(excluded))
		}
		space, err := Explore(t.Context(), net, Options{Encoding: PerGroup})
		if must(t, err); space.States().Int64() != 2 {
			t.Errorf("%v states", space.States())
		}
		if claim := net.FalseClaim(); (claim != nil) != (full >= 0) || claim != nil && claim.Unit != fmt.Sprint("u", full) {
			t.Errorf("unit %d has two tokens in the end; told is %v", full, claim)
		}
	}
}

// TestEncodingsKeepToLimits: what is made for an encoding is charged, and where there is no time or memory for it,
// only the plain system is there. A charge that is missing makes the number less.
func TestEncodingsKeepToLimits(t *testing.T) {
	net := manyGroups(t, 100, -1)
	plain, flows, err := netSystem(t.Context(), net)
	must(t, err)
	work := new(account.Account)
	if s, err := plain.grouped(work, ownPlaces(net)); err != nil || s == nil || work.Spent() < 62_200 {
		t.Errorf("%d units charged, expected %d; %v", work.Spent(), 62_200, err)
	}
	over, cancel := context.WithCancel(t.Context())
	cancel()
	full, stop := account.Within(t.Context(), account.Budget{MemoryBytes: 1})
	defer stop(nil)
	for _, ctx := range []context.Context{over, full} {
		if systems := netEncodings(ctx, net, plain, flows); len(systems) != 1 || systems[0] != plain {
			t.Errorf("%d encodings, though %v", len(systems), account.Reason(ctx))
		}
	}
}

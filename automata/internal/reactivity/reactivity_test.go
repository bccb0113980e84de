package reactivity_test

import (
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"pnmc/automata/internal/reactivity"
)

// board is a game in which spoiler chooses an edge, and duplicator one of the moves it allows.
type board struct{ edges [][]edge }

type edge struct {
	spoiler uint // sets that spoiler's choice is in
	answers []answer
}

type answer struct {
	to         int
	duplicator uint // sets
}

func (b board) game(spoiler, duplicator int) *reactivity.Game[bool] {
	return &reactivity.Game[bool]{
		Positions: len(b.edges), All: true, Spoiler: spoiler, Duplicator: duplicator,
		Restrict: func(stay, closer, won []bool, i, j int) (changed, goesOn bool) {
			for p, edges := range b.edges {
				for _, e := range edges {
					if stay[p] && !slices.ContainsFunc(e.answers, func(a answer) bool {
						return closer[a.to] || a.duplicator>>j&1 == 1 && won[a.to] || e.spoiler>>i&1 == 0 && stay[a.to]
					}) {
						stay[p], changed = false, true
					}
				}
			}
			return changed, true
		},
	}
}

// TestOnePlayer compares games in which duplicator has no choice with the cycles that spoiler
// can go round.
func TestOnePlayer(t *testing.T) {
	won, lost := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		n, spoiler, duplicator := rapid.IntRange(1, 5).Draw(t, "positions"), rapid.IntRange(1, 2).Draw(t, "spoiler"), rapid.IntRange(1, 2).Draw(t, "duplicator")
		b := board{make([][]edge, n)}
		for p := range b.edges {
			for range rapid.IntRange(0, 3).Draw(t, "edges") {
				b.edges[p] = append(b.edges[p], edge{
					rapid.UintRange(0, 1<<spoiler-1).Draw(t, "in"),
					[]answer{{rapid.IntRange(0, n-1).Draw(t, "to"), rapid.UintRange(0, 1<<duplicator-1).Draw(t, "into")}},
				})
			}
		}
		wins := b.game(spoiler, duplicator).Solve()
		for p := range n {
			if want := !b.escapes(p, spoiler, duplicator); wins[p] != want {
				t.Fatalf("%+v: position %d is won: %t", b, p, wins[p])
			} else if want {
				won++
			} else {
				lost++
			}
		}
	})
	if won == 0 || lost == 0 {
		t.Fatalf("%d won, %d lost", won, lost)
	}
}

// escapes reports whether spoiler has a way from p to a cycle that is in all its sets, and not
// in one of duplicator's: by steps over position, the sets seen, and whether the cycle began.
func (b board) escapes(p, spoiler, duplicator int) bool {
	reached := b.closure([]int{p}, func(edge) bool { return true })
	for q := range b.edges {
		for j := range duplicator {
			avoiding := func(e edge) bool { return e.answers[0].duplicator>>j&1 == 0 }
			if !reached[q] {
				continue
			}
			// Around q, without set j: each of spoiler's sets on a way from q back to q.
			from, all := b.closure([]int{q}, avoiding), true
			for i := range spoiler {
				some := false
				for r, edges := range b.edges {
					for _, e := range edges {
						some = some || from[r] && avoiding(e) && e.spoiler>>i&1 == 1 && b.closure([]int{e.answers[0].to}, avoiding)[q]
					}
				}
				all = all && some
			}
			if all {
				return true
			}
		}
	}
	return false
}

func (b board) closure(todo []int, usable func(edge) bool) []bool {
	reached := make([]bool, len(b.edges))
	for len(todo) > 0 {
		p := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if reached[p] {
			continue
		}
		reached[p] = true
		for _, e := range b.edges[p] {
			if usable(e) {
				todo = append(todo, e.answers[0].to)
			}
		}
	}
	return reached
}

// In position 0 duplicator may go to 1, where it is in its set for ever, or to 2, where it is
// not while spoiler is in its own.
func ExampleGame() {
	b := board{[][]edge{
		{{1, []answer{{1, 0}, {2, 0}}}},
		{{1, []answer{{1, 1}}}},
		{{1, []answer{{2, 0}}}},
	}}
	fmt.Println(b.game(1, 1).Solve())
	// Output: [true true false]
}

package states_test

import (
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"pnmc/checker/product/internal/states"
	"pnmc/internal/account"
	"pnmc/petri"
)

// TestNumbering compares numbers with those of a map, while the automaton gets more states.
func TestNumbering(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := states.Numbering{States: 2, Account: account.New(account.Budget{})}
		naive := map[states.Pair]uint32{}
		for range rapid.IntRange(1, 200).Draw(t, "looks") {
			if rapid.IntRange(0, 30).Draw(t, "widen") == 0 && !n.Widen(n.States+rapid.Uint32Range(0, 3).Draw(t, "more")) {
				t.Fatal(n.Full)
			}
			p := states.Pair{S: petri.StateID(rapid.IntRange(0, 2000).Draw(t, "s")), Q: rapid.Uint32Range(0, n.States-1).Draw(t, "q")}
			slot := n.Slot(p.S, p.Q)
			if n.Full != nil || *slot != naive[p] {
				t.Fatalf("%v has number %d, should be %d", p, *slot, naive[p])
			}
			if *slot == states.Unmet {
				naive[p] = uint32(len(naive) + 1)
				if got := n.Number(slot); got != naive[p] || n.Count != naive[p] {
					t.Fatalf("%v gets number %d of %d, should be %d", p, got, n.Count, naive[p])
				}
			}
		}
		for p, want := range naive {
			if got := *n.Slot(p.S, p.Q); got != want {
				t.Fatalf("%v has number %d in the end, should be %d", p, got, want)
			}
		}
	})
}

// TestNumberingWithoutRoom has a slot where there is no memory for one, and says so.
func TestNumberingWithoutRoom(t *testing.T) {
	n := states.Numbering{States: 1, Account: account.New(account.Budget{MemoryBytes: 1})}
	for s := petri.StateID(0); n.Full == nil; s += 256 {
		if s > 1<<28 {
			t.Fatal("there is always room")
		}
		n.Slot(s, 0)
	}
	if slot := n.Slot(1<<30, 0); slot != &n.Dummy || *slot != states.Unmet {
		t.Fatal("a slot without room is not the dummy")
	}
	if n.Widen(5) {
		t.Fatal("there is room for more states of the automaton")
	}
}

// TestWideningIsCharged: a directory for more states of the automaton is asked for.
func TestWideningIsCharged(t *testing.T) {
	n := states.Numbering{States: 1, Account: account.New(account.Budget{})}
	const met, wide = 1 << 16, 5
	for s := range petri.StateID(met) {
		n.Slot(s, 0)
	}
	before := n.Account.Spent()
	if !n.Widen(wide) {
		t.Fatal("there is no room")
	}
	if spent := n.Account.Spent() - before; spent < 4*wide*met>>8 { // there is a block for 256 states
		t.Errorf("%d units charged", spent)
	}
}

// TestStack compares rows with those of a slice, among them rows longer than a chunk.
func TestStack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var s states.Stack
		var rows [][]petri.StateID
		var at []int64
		for i := range rapid.IntRange(1, 30).Draw(t, "steps") {
			if len(rows) > 0 && rapid.Bool().Draw(t, "pop") {
				last := len(rows) - 1
				s.Pop(at[last])
				rows, at = rows[:last], at[:last]
			} else {
				row := slices.Repeat([]petri.StateID{petri.StateID(i)}, rapid.SampledFrom([]int{0, 1, 7, 40_000, 70_000}).Draw(t, "length"))
				rows, at = append(rows, row), append(at, s.Push(row))
			}
			if last := len(rows) - 1; last >= 0 && !slices.Equal(s.Top(at[last]), rows[last]) {
				t.Fatalf("the row on top has %d states, should have %d", len(s.Top(at[last])), len(rows[last]))
			}
		}
	})
}

func ExampleNumbering() {
	n := states.Numbering{States: 3, Account: account.New(account.Budget{})}
	slot := n.Slot(7, 2)
	fmt.Println(*slot == states.Unmet, n.Number(slot), *n.Slot(7, 2))
	// Output: true 1 1
}

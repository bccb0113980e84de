package petri

import (
	"fmt"
	"slices"
	"testing"

	"pnmc/internal/account"
)

// shared returns a net, and facts that tell of so many groups of places of which exactly one is marked, each
// of which shares a place with each other one, so that choosing among them takes about the cube of their number.
func shared(t *testing.T, groups int) (*Net, Facts) {
	t.Helper()
	b := &Builder{}
	flows := make([]Semiflow, groups)
	for i := range flows {
		flows[i].Value = 1
		for j := range i {
			p, err := b.AddPlace(fmt.Sprint(i, "-", j), "", 0)
			if err != nil {
				t.Fatal(err)
			}
			flows[i].Terms = append(flows[i].Terms, Arc{Place: p, Weight: 1})
			flows[j].Terms = append(flows[j].Terms, Arc{Place: p, Weight: 1})
		}
		own, err := b.AddPlace(fmt.Sprint(i), "", 1)
		if err != nil {
			t.Fatal(err)
		}
		flows[i].Terms = append(flows[i].Terms, Arc{Place: own, Weight: 1})
	}
	net, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	return net, Facts{Semiflows: flows}
}

// TestGroupsAreChosenWithinLimits: choosing groups is charged, and ends with its context. Wherever it ends the
// initial marking is packed as it is. The number is that of code that charges all it looks at: a charge that is
// missing makes it less.
func TestGroupsAreChosenWithinLimits(t *testing.T) {
	const all = 4_796_320
	net, facts := shared(t, 120)
	work := new(account.Account)
	if groups := chooseGroups(work, net, facts); len(groups) < 100 || work.Spent() < all {
		t.Errorf("%d groups, %d units charged, expected %d", len(groups), work.Spent(), int64(all))
	}
	var found []int // by looks
	for looks := range 6 {
		work := new(account.Account)
		work.Begin(account.EndsAfter(looks))
		layout, packed := net.InitialLayout(work, facts)
		m := make(Marking, net.Places())
		layout.Unpack(packed, m)
		groups := 0
		for i := range layout.fields {
			if layout.fields[i].group() {
				groups++
			}
		}
		for p := range m {
			if m[p] != net.InitialTokens(Place(p)) {
				t.Fatalf("after %d looks place %d has %d tokens", looks, p, m[p])
			}
		}
		found = append(found, groups)
	}
	if found[0] != 0 || !slices.IsSorted(found) || found[2] >= found[5] {
		t.Errorf("by looks there are %v groups", found)
	}
}

package sizes

import (
	"context"
	"testing"
	"time"

	"pgregory.net/rapid"

	"pnmc/checker/inquiry"
	"pnmc/checker/internal/core"
	"pnmc/checker/internal/core/coretest"
	"pnmc/checker/internal/ledger"
	"pnmc/internal/petritest"
	"pnmc/petri"
)

// tokenTask returns a task that asks for all sizes of a net, and has no plan.
func tokenTask(t testing.TB, net *petri.Net) (*core.Task, *coretest.Recorder) {
	r, record := coretest.NewTask(t, net, 4, time.Minute)
	r.Sizes = ledger.NewSizes(net, r.Ledger.Answers, 0)
	for i, size := range inquiry.Sizes() {
		r.Sizes.Ask(i, size.(inquiry.Size))
	}
	r.Sizes.Reach(net.Initial(), inquiry.InitialState)
	return r, record
}

// TestTokensAgreeWithAllMarkings: what is proven and what is reached lie on the two
// sides of the truth, and what is answered is the truth.
func TestTokensAgreeWithAllMarkings(tt *testing.T) {
	answered := 0
	if !petritest.CheckUntil(tt, func() bool { return answered > 0 }, func(t *rapid.T) {
		net, g := petritest.SmallNet(t)
		most, inPlace := int64(0), make([]int64, net.Places())
		for _, m := range g.Markings {
			total := int64(0)
			for p, n := range m {
				total += n
				inPlace[p] = max(inPlace[p], n)
			}
			most = max(most, total)
		}
		r, record := tokenTask(tt, net)
		Bounds(context.Background(), r)
		ctx, cancel := context.WithTimeout(context.Background(), 5*time.Millisecond)
		defer cancel()
		Walks(ctx, r)
		largest := int64(0)
		for p, high := range r.Sizes.PlaceBounds() {
			if largest = max(largest, inPlace[p]); high < inPlace[p] {
				t.Fatalf("place %d: at most %d proven, %d reached", p, high, inPlace[p])
			}
		}
		if low, high := r.Sizes.Between(inquiry.TokensPerMarking); low > most || high < most {
			t.Fatalf("tokens in a marking between %d and %d, in fact %d", low, high, most)
		}
		if low, high := r.Sizes.Between(inquiry.TokensInPlace); low > largest || high < largest {
			t.Fatalf("tokens in a place between %d and %d, in fact %d", low, high, largest)
		}
		want := map[inquiry.Size]int64{inquiry.TokensPerMarking: most, inquiry.TokensInPlace: largest}
		for _, a := range record.Answers {
			if size := inquiry.Size(a.Question); !a.Value.Equal(inquiry.Number(want[size])) {
				t.Fatalf("size %d is %v, expected %d", size, a.Value, want[size])
			}
			answered++
		}
	}) {
		tt.Error("nothing was ever answered")
	}
}

// TestTokensWithoutStateSpace: both values are known of a net with 3^100 markings
// without any exploration.
func TestTokensWithoutStateSpace(t *testing.T) {
	r, record := tokenTask(t, petritest.Philosophers(100))
	Bounds(context.Background(), r)
	Walks(context.Background(), r)
	for size, want := range map[inquiry.Size]int64{inquiry.TokensPerMarking: 200, inquiry.TokensInPlace: 1} {
		if got := record.Value(int(size)); !got.Equal(inquiry.Number(want)) {
			t.Errorf("size %d is %v, expected %d", size, got, want)
		}
	}
}

// TestTokensWithoutBound: a walk finds what can be repeated for ever, and nothing
// else is answered.
func TestTokensWithoutBound(t *testing.T) {
	var b petri.Builder
	p, _ := b.AddPlace("p", "", 1)
	q, _ := b.AddPlace("q", "", 0)
	u, _ := b.AddTransition("t", "")
	b.AddInput(p, u, 1)
	b.AddOutput(u, p, 1)
	b.AddOutput(u, q, 1)
	net, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	r, record := tokenTask(t, net)
	Bounds(context.Background(), r)
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
	defer cancel()
	Walks(ctx, r)
	for i := range inquiry.Sizes() {
		if got := record.Value(i); !got.IsInfinite() {
			t.Errorf("size %d is %v, expected infinite", i, got)
		}
	}
}

// TestGraph: the sizes of a state space in which markings are counted are those that one thread finds which
// numbers them.
func TestGraph(t *testing.T) {
	net := petritest.Kanban(3)
	want, err := net.Explore(t.Context(), petri.Facts{}, petri.Budget{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	r, record := tokenTask(t, net)
	if err := Graph(t.Context(), r); err != nil {
		t.Fatal(err)
	}
	for size, value := range map[inquiry.Size]int64{inquiry.Markings: want.States, inquiry.Firings: want.Firings,
		inquiry.TokensPerMarking: want.MaxTokensPerMarking.Int64(), inquiry.TokensInPlace: want.MaxTokensInPlace} {
		if got := record.Value(int(size)); !got.Equal(inquiry.Number(value)) {
			t.Errorf("size %d is %v, expected %d", size, got, value)
		}
	}
}

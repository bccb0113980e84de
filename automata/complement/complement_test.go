package complement

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"pnmc/automata"
	"pnmc/internal/automatatest"
)

func TestComplementAcceptsWhatIsRejected(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 4))
	accepted, words, deterministic := 0, 0, 0
	for seed := range uint64(300) {
		a := automatatest.Random(automatatest.RandomSettings{
			States: 1 + int(seed%4), Propositions: []string{"a", "b"}[:1+seed%2], Density: 0.4,
			LiteralProbability: []float64{0.5, 0.8, 1}[seed%3], Sets: int(seed/3) % 4, MarkProbability: 0.4,
			Condition: automatatest.RandomCondition(seed / 2 % 3),
		}, seed)
		if is, _ := automata.IsDeterministic(t.Context(), a); is {
			deterministic++
		}
		c, err := Complement(context.Background(), a, 20000)
		if errors.Is(err, ErrTooLarge) {
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		for range 20 {
			l := automatatest.RandomWord(r, a.Propositions)
			left, _ := automata.Accepts(a, l)
			right, err := automata.Accepts(c, l)
			if err != nil || left == right {
				t.Fatalf("seed %d: %v is accepted by automaton and complement alike: %v (%v); %d states", seed, l, left, err, c.States())
			}
			words++
			if left {
				accepted++
			}
		}
	}
	if words < 4000 || accepted < words/10 || accepted > words*9/10 || deterministic < 30 || deterministic > 270 {
		t.Errorf("%d of %d words accepted, %d automata deterministic: the sample is lopsided", accepted, words, deterministic)
	}
}

func TestSliceComplementOfDeterministicAutomata(t *testing.T) {
	// Both constructions must agree where both apply.
	r := rand.New(rand.NewPCG(5, 5))
	tried := 0
	for seed := range uint64(400) {
		a := automatatest.Random(automatatest.RandomSettings{
			States: 3, Propositions: []string{"a"}, Density: 0.2, LiteralProbability: 1, Sets: 2,
			MarkProbability: 0.4, Condition: automatatest.RandomEmersonLei,
		}, seed)
		if deterministic, _ := automata.IsDeterministic(t.Context(), a); !deterministic {
			continue
		}
		tried++
		dual, err := Deterministic(context.Background(), a)
		if err != nil {
			t.Fatal(err)
		}
		slices, err := explicitComplement(a, 1000)
		if err != nil {
			t.Fatal(err)
		}
		for range 10 {
			l := automatatest.RandomWord(r, a.Propositions)
			left, _ := automata.Accepts(dual, l)
			right, err := automata.Accepts(slices, l)
			if err != nil || left != right {
				t.Fatalf("seed %d: %v: %v by the dual, %v by slices (%v)", seed, l, left, right, err)
			}
		}
	}
	if tried < 20 {
		t.Errorf("only %d deterministic automata", tried)
	}
}

// TestComplementObeysContext complements an automaton of few states, one of whose
// complement has 2^22 letters: each of 22 states has an edge for a proposition of its
// own, and other propositions tell which of them are reached, so that none are merged.
func TestComplementObeysContext(t *testing.T) {
	const n, codes = 22, 5
	var names []string
	for p := range n + codes {
		names = append(names, fmt.Sprintf("p%d", p))
	}
	literal := func(p int, positive bool) automata.Cube { return automata.NewCube(n+codes).With(p, positive) }
	b := automata.NewBuilder(names, automata.GeneralizedBuchi(1))
	b.AddStates(n + 2)
	b.AddInitial(0)
	for i := range n {
		var other automata.Label // than the code of i
		for j := range codes {
			other = append(other, literal(n+j, i>>j&1 == 0))
		}
		b.AddEdge(0, other, automata.NewMarks(1), automata.State(i+1))
		b.AddEdge(automata.State(i+1), automata.Label{literal(i, true)}, automata.NewMarks(1), n+1)
	}
	b.AddEdge(n+1, automata.Label{literal(0, true)}, automata.NewMarks(1, 0), n+1)
	a, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer cancel()
	begin := time.Now()
	if _, err := Complement(ctx, a, 1000); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("got %v", err)
	}
	if taken := time.Since(begin); taken > 5*time.Second {
		t.Errorf("ended after %v", taken)
	}
}

func TestComplementKeepsToItsLimit(t *testing.T) {
	a := automatatest.Random(automatatest.RandomSettings{
		States: 12, Propositions: []string{"a"}, Density: 0.2, LiteralProbability: 0.5, Sets: 1, MarkProbability: 0.2,
	}, 1)
	if _, err := Complement(context.Background(), a, 100); !errors.Is(err, ErrTooLarge) {
		t.Errorf("error %v, want ErrComplementTooLarge", err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := Complement(ctx, a, 100); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v, want context.Canceled", err)
	}
}

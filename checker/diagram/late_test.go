package diagram_test

import (
	"context"
	"errors"
	"testing"

	"pnmc/checker/diagram"
	"pnmc/internal/petritest"
	"pnmc/logic"
)

// TestSetsEndWithTheirContext: goals and sums are looked for no longer than asked, and the diagram
// is as it was then.
func TestSetsEndWithTheirContext(t *testing.T) {
	s, err := diagram.Explore(t.Context(), petritest.Philosophers(40), 0)
	if err != nil {
		t.Fatal(err)
	}
	ended := errors.New("ended")
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(ended)
	dead := &logic.Predicate{Operator: logic.Deadlocked}
	sum := logic.Sum{}
	for p := range uint32(100) {
		sum.Terms = append(sum.Terms, logic.Term{Place: p, Coefficient: 1 + int64(p)})
	}
	if _, err := s.Reachable(ctx, dead); !errors.Is(err, ended) {
		t.Errorf("reachable: %v", err)
	}
	if _, err := s.Maximum(ctx, logic.Polynomial{Sum: sum}); !errors.Is(err, ended) {
		t.Errorf("maximum: %v", err)
	}
	if ok, err := s.Reachable(t.Context(), dead); err != nil || !ok {
		t.Errorf("afterwards: %v, %v", ok, err)
	}
	if n, err := s.Maximum(t.Context(), logic.Polynomial{Sum: sum}); err != nil || n.Sign() <= 0 {
		t.Errorf("afterwards: %v, %v", n, err)
	}
}

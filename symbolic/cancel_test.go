package symbolic

import (
	"context"
	"errors"
	"math"
	"testing"

	"pnmc/automata/stutter"
	"pnmc/automata/translate"
	"pnmc/logic"
	"pnmc/logic/ltl"
)

// TestCancel ends an exploration that would never end.
func TestCancel(t *testing.T) {
	s := &System{Names: []string{"a", "b"}, Initial: []uint32{0, 0}, Events: []Event{
		{{0, 0, noLimit, 1}}, {{1, 0, noLimit, 1}},
	}}
	ctx, cancel := context.WithCancelCause(t.Context())
	reason := errors.New("enough")
	cancel(reason)
	sp, err := ExploreSystem(ctx, s, Options{})
	if !errors.Is(err, reason) {
		t.Fatalf("got %v, want %v", err, reason)
	}
	if sp.Complete {
		t.Error("complete, though it was cancelled")
	}
}

// TestCancelWhatFollowsExploration: each operation on the reachable states looks at its
// context from the first step on, be it of what it prepares.
func TestCancelWhatFollowsExploration(t *testing.T) {
	s := &System{
		Names: []string{"a", "b"}, Initial: []uint32{3, 0},
		Events:   []Event{{{0, 1, noLimit, -1}, {1, 0, noLimit, 1}}},
		Excluded: []Exclusion{{Guards: Event{{0, 4, noLimit, 0}}}},
	}
	parser := ltl.Parser{Formulas: ltl.NewFormulas()}
	f, err := parser.Parse("F G p0 | G F p1")
	must(t, err)
	a, err := translate.ToAutomaton(t.Context(), parser.Formulas, f, translate.Options{})
	must(t, err)
	propositions := []*logic.Predicate{sumPredicate(logic.AtMost, -1, 1), sumPredicate(logic.AtMost, 1, 0, -1)}
	testing := ProductOptions{Testing: &stutter.Invariance{Whole: true}}

	for name, test := range map[string]struct {
		prepare, operation func(ctx context.Context, space *StateSpace) error
	}{
		"the check of an encoding": {nil, func(ctx context.Context, space *StateSpace) error {
			return space.checkExcluded(ctx)
		}},
		"a maximal path": {nil, func(ctx context.Context, space *StateSpace) error {
			_, err := space.HasMaximalPath(ctx, space.Initial, space.Reachable)
			return err
		}},
		"terminal components": {nil, func(ctx context.Context, space *StateSpace) error {
			return space.EachTerminalComponent(ctx, func(Node) bool { return true })
		}},
		"the check of a product, once it is built": {func(ctx context.Context, space *StateSpace) error {
			_, err := newProduct(ctx, space, a, propositions, testing)
			return err
		}, func(ctx context.Context, space *StateSpace) error {
			_, err := CheckEmptiness(ctx, space, a, propositions, testing)
			return err
		}},
	} {
		explored := func() *StateSpace {
			space, err := ExploreSystem(t.Context(), s, Options{})
			must(t, err)
			return space
		}
		prepared := 0 // looks of what is done before
		if space := explored(); test.prepare != nil {
			counted := &endingContext{Context: t.Context(), looks: math.MaxInt}
			must(t, test.prepare(counted, space))
			prepared = math.MaxInt - counted.looks
		}
		must(t, test.operation(t.Context(), explored()))
		ctx := &endingContext{Context: t.Context(), looks: prepared}
		if err := test.operation(ctx, explored()); !errors.Is(err, errEnough) {
			t.Errorf("%s: %v, want %v", name, err, errEnough)
		}
	}
}

// An endingContext ends after so many looks.
type endingContext struct {
	context.Context
	looks int
}

var errEnough = errors.New("enough")

func (c *endingContext) Err() error {
	if c.looks == 0 {
		return errEnough
	}
	c.looks--
	return nil
}

// Value hides that the context within could be asked instead.
func (c *endingContext) Value(any) any { return nil }

// TestCancelSingleSteps: a run is told step by step, each of which may look at every event;
// that ends with the context too.
func TestCancelSingleSteps(t *testing.T) {
	s := &System{Names: []string{"a"}, Initial: []uint32{0}}
	for range 1 << 13 {
		s.Events = append(s.Events, Event{{0, 1, noLimit, 0}})
	}
	space, err := ExploreSystem(t.Context(), s, Options{})
	must(t, err)
	a, err := translate.ToAutomaton(t.Context(), ltl.NewFormulas(), ltl.NewFormulas().True(), translate.Options{})
	must(t, err)
	p, err := newProduct(t.Context(), space, a, nil, ProductOptions{})
	must(t, err)
	defer p.forest.within(&endingContext{Context: t.Context(), looks: 1})()
	if _, err := p.successors(p.initialVector()); !errors.Is(err, errEnough) {
		t.Errorf("%v, want %v", err, errEnough)
	}
}

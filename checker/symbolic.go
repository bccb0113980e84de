package checker

import (
	"context"
	"errors"
	"fmt"
	"math/big"
	"slices"

	"pnmc/logic"
	"pnmc/petri"
	"pnmc/symbolic"
)

// Symbolic decides questions on the set of all reachable markings, as a decision
// diagram: whether goals are reachable, the largest value of sums, and CTL by
// fixpoints over sets (McMillan, "Symbolic model checking", 1993).
type Symbolic struct {
	net     *petri.Net
	space   *symbolic.StateSpace
	forest  *symbolic.Forest
	reverse *symbolic.Relation
	// clusters are the events backwards, those with the same topmost level
	// together, from the bottom up: fixpoints that only grow take them in turn.
	clusters []*symbolic.Relation
	dead     symbolic.Node
	hasDead  bool
}

// ExploreSymbolically computes the reachable markings of net within memory
// bytes. An error tells why it could not.
func ExploreSymbolically(ctx context.Context, net *petri.Net, memory int64) (*Symbolic, error) {
	space, err := symbolic.Explore(ctx, net, symbolic.Options{Memory: memory})
	if err == nil && !space.Complete {
		err = errors.New("the set of reachable markings is not complete")
	}
	if err != nil {
		return nil, err
	}
	s := &Symbolic{net: net, space: space, forest: space.Forest, reverse: space.Relation.Reverse()}
	return s, s.cluster()
}

// cluster makes the clusters.
func (s *Symbolic) cluster() error {
	byTop := make([]*symbolic.Relation, s.forest.Height()+1)
	for _, event := range s.space.System.Events {
		top := 0
		var steps []symbolic.Step
		for _, g := range event {
			level := s.space.Levels[g.Variable]
			top = max(top, level)
			high := int64(g.High) + g.Delta
			if g.High == symbolic.NoLimit {
				high = symbolic.NoLimit
			}
			low := int64(g.Low) + g.Delta
			if low < 0 || low > symbolic.NoLimit {
				return errors.New("an event leads out of range")
			}
			steps = append(steps, symbolic.Step{Level: level, Low: uint32(low), High: uint32(min(high, symbolic.NoLimit)), Delta: -g.Delta})
		}
		if top == 0 {
			continue // it changes nothing, and is always possible
		}
		if byTop[top] == nil {
			byTop[top] = s.forest.NewRelation()
		}
		if err := byTop[top].Add(steps); err != nil {
			return err
		}
	}
	for _, r := range byTop {
		if r != nil {
			s.clusters = append(s.clusters, r)
		}
	}
	return nil
}

// StateSpace is the set of reachable markings.
func (s *Symbolic) StateSpace() *symbolic.StateSpace { return s.space }

// Maximum is the largest value of sum in a reachable marking.
func (s *Symbolic) Maximum(sum logic.Sum) (*big.Int, error) {
	weights := make([]int64, s.net.Places())
	for _, t := range sum.Terms {
		weights[t.Place] += t.Coefficient
	}
	v, err := s.space.LargestSum(weights)
	if err != nil {
		return nil, err
	}
	return v.Add(v, big.NewInt(sum.Constant)), nil
}

// Reach tells whether goal holds in some reachable marking, and if so by which
// run. The run is found by going backwards from the goal in layers, and then
// forwards through them.
func (s *Symbolic) Reach(ctx context.Context, goal *logic.Predicate) (reachable bool, run []Burst, err error) {
	target, err := s.space.Satisfying(goal)
	if err != nil {
		return false, nil, err
	}
	if target == symbolic.Empty {
		return false, nil, nil
	}
	layers := []symbolic.Node{s.forest.Keep(target)}
	defer func() {
		for _, n := range layers {
			s.forest.Release(n)
		}
	}()
	all := s.forest.Keep(target)
	defer func() { s.forest.Release(all) }()
	initial := s.vector(s.net.Initial())
	for !s.forest.Contains(layers[len(layers)-1], initial) {
		if ctx.Err() != nil {
			return true, nil, context.Cause(ctx)
		}
		next, err := s.before(layers[len(layers)-1])
		if err != nil {
			return true, nil, err
		}
		s.forest.Keep(next)
		if next, err = s.replace(next, s.forest.Difference, all); err != nil {
			return true, nil, err
		}
		layers = append(layers, next)
		if all, err = s.replace(all, s.forest.Union, next); err != nil {
			return true, nil, err
		}
		if next == symbolic.Empty {
			return true, nil, errors.New("the goal is reachable, but no run was found")
		}
	}
	run, err = s.forwards(layers)
	return true, run, err
}

// forwards follows layers, the last of which has the initial marking, to the
// first one.
func (s *Symbolic) forwards(layers []symbolic.Node) ([]Burst, error) {
	m := s.net.Initial()
	run := []Burst{}
	for i := len(layers) - 2; i >= 0; i-- {
		found := false
		for t := range petri.Transition(s.net.Transitions()) {
			next := slices.Clone(m)
			if s.net.Fire(next, t) && s.forest.Contains(layers[i], s.vector(next)) {
				m, found = next, true
				run = append(run, Burst{t, 1})
				break
			}
		}
		if !found {
			return nil, fmt.Errorf("no firing leads to layer %d", i)
		}
	}
	return run, nil
}

func (s *Symbolic) vector(m petri.Marking) []uint32 {
	v := make([]uint32, len(m))
	for p, tokens := range m {
		v[s.space.Levels[p]-1] = uint32(tokens)
	}
	return v
}

// replace releases a kept set and keeps what operation makes of it.
func (s *Symbolic) replace(n symbolic.Node, operation func(a, b symbolic.Node) (symbolic.Node, error), with symbolic.Node) (symbolic.Node, error) {
	result, err := operation(n, with)
	s.forest.Release(n)
	return s.forest.Keep(result), err
}

// before is the set of reachable markings with a successor in n; not kept.
func (s *Symbolic) before(n symbolic.Node) (symbolic.Node, error) {
	image, err := s.reverse.Image(n)
	if err != nil {
		return symbolic.Empty, err
	}
	return s.forest.Intersection(image, s.space.Reachable)
}

// Decide evaluates a CTL formula in the initial marking.
func (s *Symbolic) Decide(ctx context.Context, f *logic.CTL) (bool, error) {
	n, err := s.evaluate(ctx, f)
	defer s.forest.Release(n)
	if err != nil {
		return false, err
	}
	return s.forest.Contains(n, s.vector(s.net.Initial())), nil
}

// evaluate is the set of reachable markings that satisfy f, kept.
func (s *Symbolic) evaluate(ctx context.Context, f *logic.CTL) (symbolic.Node, error) {
	if ctx.Err() != nil {
		return symbolic.Empty, context.Cause(ctx)
	}
	if f.Operator == logic.CTLState {
		n, err := s.space.Satisfying(f.Predicate)
		return s.forest.Keep(n), err
	}
	var operands []symbolic.Node
	release := func() {
		for _, n := range operands {
			s.forest.Release(n)
		}
	}
	for _, g := range f.Operands {
		n, err := s.evaluate(ctx, g)
		operands = append(operands, n)
		if err != nil {
			release()
			return symbolic.Empty, err
		}
	}
	n, err := s.apply(ctx, f.Operator, operands)
	release()
	return n, err
}

// apply is the set for an operator with these operands, kept.
func (s *Symbolic) apply(ctx context.Context, operator logic.CTLOperator, operands []symbolic.Node) (symbolic.Node, error) {
	first, last := operands[0], operands[len(operands)-1]
	complementOf := func(n symbolic.Node, err error) (symbolic.Node, error) {
		if err != nil {
			return n, err
		}
		result, err := s.not(n)
		s.forest.Release(n)
		return result, err
	}
	all := s.space.Reachable
	switch operator {
	case logic.CTLNot:
		return s.not(first)
	case logic.CTLAnd, logic.CTLOr:
		operation := s.forest.Intersection
		if operator == logic.CTLOr {
			operation = s.forest.Union
		}
		n := s.forest.Keep(first)
		for _, o := range operands[1:] {
			var err error
			if n, err = s.replace(n, operation, o); err != nil {
				return n, err
			}
		}
		return n, nil
	case logic.CTLExistsNext:
		n, err := s.before(first)
		return s.forest.Keep(n), err
	case logic.CTLExistsFinally:
		return s.until(ctx, all, first)
	case logic.CTLExistsUntil:
		return s.until(ctx, first, last)
	case logic.CTLExistsGlobally:
		return s.globally(ctx, first)
	}
	// The others fail where something exists among the complements.
	notLast, err := s.not(last)
	defer func() { s.forest.Release(notLast) }()
	if err != nil {
		return symbolic.Empty, err
	}
	switch operator {
	case logic.CTLAllNext:
		n, err := s.before(notLast)
		return complementOf(s.forest.Keep(n), err)
	case logic.CTLAllGlobally:
		return complementOf(s.until(ctx, all, notLast))
	case logic.CTLAllFinally:
		return complementOf(s.globally(ctx, notLast))
	}
	// A(a U b): neither ¬b U (¬a ∧ ¬b) nor EG ¬b.
	neither, err := s.forest.Difference(notLast, first)
	s.forest.Keep(neither)
	defer func() { s.forest.Release(neither) }()
	if err != nil {
		return symbolic.Empty, err
	}
	avoid, err := s.until(ctx, notLast, neither)
	if err != nil {
		return avoid, err
	}
	forEver, err := s.globally(ctx, notLast)
	defer func() { s.forest.Release(forEver) }()
	if err != nil {
		return avoid, err
	}
	return complementOf(s.replace(avoid, s.forest.Union, forEver))
}

// NoRun tells whether no run is accepted by the property's automaton; memory
// bounds the diagrams of the product, in bytes.
func (s *Symbolic) NoRun(ctx context.Context, property Property, memory int64) (bool, error) {
	e, err := symbolic.CheckEmptiness(ctx, s.space, property.Automaton, property.Predicates, symbolic.ProductOptions{Memory: memory})
	if err != nil {
		return false, err
	}
	return e.Empty, nil
}

func (s *Symbolic) not(n symbolic.Node) (symbolic.Node, error) {
	result, err := s.forest.Difference(s.space.Reachable, n)
	return s.forest.Keep(result), err
}

// until is the set of markings of a that lead to b through a, with b; kept.
// Clusters take turns, each until it adds nothing, until none does: what one
// adds the next uses, so that far fewer rounds are needed than by layers.
func (s *Symbolic) until(ctx context.Context, a, b symbolic.Node) (symbolic.Node, error) {
	result := s.forest.Keep(b)
	unchanged := 0
	for i := 0; unchanged < len(s.clusters); i = (i + 1) % len(s.clusters) {
		before := result
		for {
			if ctx.Err() != nil {
				return result, context.Cause(ctx)
			}
			image, err := s.clusters[i].Image(result)
			if err != nil {
				return result, err
			}
			s.forest.Keep(image)
			if image, err = s.replace(image, s.forest.Intersection, a); err != nil {
				s.forest.Release(image)
				return result, err
			}
			last := result
			result, err = s.replace(result, s.forest.Union, image)
			s.forest.Release(image)
			if err != nil {
				return result, err
			}
			if result == last {
				break
			}
		}
		if unchanged++; result != before {
			unchanged = 1
		}
	}
	return result, nil
}

// globally is the set of markings of a with a maximal path in a; kept.
func (s *Symbolic) globally(ctx context.Context, a symbolic.Node) (symbolic.Node, error) {
	if !s.hasDead {
		dead, err := s.space.Satisfying(&logic.Predicate{Operator: logic.Deadlocked})
		if err != nil {
			return symbolic.Empty, err
		}
		s.dead, s.hasDead = s.forest.Keep(dead), true
	}
	result := s.forest.Keep(a)
	for {
		if ctx.Err() != nil {
			return result, context.Cause(ctx)
		}
		next, err := s.before(result)
		if err != nil {
			return result, err
		}
		s.forest.Keep(next)
		if next, err = s.replace(next, s.forest.Union, s.dead); err != nil {
			s.forest.Release(next)
			return result, err
		}
		if next, err = s.replace(next, s.forest.Intersection, result); err != nil {
			s.forest.Release(next)
			return result, err
		}
		s.forest.Release(result)
		if next == result {
			return next, nil
		}
		result = next
	}
}

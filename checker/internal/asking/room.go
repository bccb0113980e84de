package asking

import (
	"pnmc/checker/inquiry"
	"pnmc/checker/internal/core"
	"pnmc/checker/internal/rephrase"
	"pnmc/internal/account"
	"pnmc/logic"
)

// hasRoom reports whether there is memory for what a question becomes over the nodes of the net, and whether the task goes on. It
// is asked before: a formula of 100 kB over places of a coloured net can take a gigabyte over those of the unfolded one.
func hasRoom(r *core.Task, q inquiry.Question) bool {
	a := account.New(r.Budget)
	a.Begin(r.Whole)
	err := a.Reserve(bytesOf(r.Groups, q))
	if err != nil {
		r.Note("a question is not asked: %v", err)
	}
	return err == nil
}

// bytesOf returns about what the predicates of a question take over the nodes of the net.
func bytesOf(g *rephrase.Nodes, q inquiry.Question) (bytes int) {
	var predicates []*logic.Predicate
	switch q := q.(type) {
	case inquiry.Reachable:
		return g.Bytes(q.Predicate)
	case inquiry.Invariant:
		return g.Bytes(q.Predicate)
	case inquiry.Bound:
		return g.BytesOf(logic.Polynomial{Sum: q.Sum, Products: q.Products})
	case inquiry.Branching:
		q.Formula.EachPredicate(func(p *logic.Predicate) { bytes += g.Bytes(p) })
	case inquiry.Linear:
		predicates = q.Predicates
	case inquiry.Automaton:
		predicates = q.Predicates
	}
	for _, p := range predicates {
		bytes += g.Bytes(p)
	}
	return bytes
}

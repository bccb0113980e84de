package asking

import (
	"errors"
	"fmt"
	"unsafe"

	"pnmc/checker/inquiry"
	"pnmc/checker/internal/core"
	"pnmc/checker/internal/ledger"
	"pnmc/checker/internal/rephrase"
	"pnmc/internal/account"
	"pnmc/logic"
)

// hasRoom reports whether there is memory for what a question becomes over the nodes of the net, and whether the task goes on. It
// is asked before, for the sake of the questions with these numbers: a formula of 100 kB over places of a coloured net can take a gigabyte over those of the unfolded one.
func hasRoom(r *core.Task, q inquiry.Question, numbers ...int) bool {
	return hasBytes(r, bytesOf(r.Groups, q), numbers...)
}

// goalBytes is about what a goal takes in the ledger, with its negation, and without its nodes.
const goalBytes = int(unsafe.Sizeof(ledger.Atom{}) + 2*unsafe.Sizeof(logic.Predicate{}) + unsafe.Sizeof(ledger.Question{})/2)

// hasRoomForGoals reports what hasRoom does, of a question that has a goal for each group of nodes.
func hasRoomForGoals(r *core.Task, groups [][]uint32, number int) bool {
	bytes := goalBytes * len(groups)
	for _, g := range groups {
		bytes += 2 * int(unsafe.Sizeof(logic.Term{})) * len(g)
	}
	return hasBytes(r, bytes, number)
}

// hasBytes reports whether there is memory for so many bytes, and whether the task goes on. If not, refuse notes that.
func hasBytes(r *core.Task, bytes int, numbers ...int) bool {
	a := account.New(r.Budget)
	a.Begin(r.Whole)
	err := a.Reserve(bytes)
	if err != nil {
		refuse(r, err, numbers...)
	}
	return err == nil
}

// refuse notes that questions are not put, and for lack of memory why: that is the reason then why they have no answer, however
// much later the time ends. Of questions that are put to prove something of another net, that net has the last word.
func refuse(r *core.Task, err error, numbers ...int) {
	r.Note("a question is not asked: %v", err)
	if len(numbers) > 0 && r.Ledger.Sink == nil && errors.As(err, new(*account.MemoryError)) {
		if whole := r.Shared.MemoryBytes; whole > 0 {
			err = fmt.Errorf("%w, which engines have of %d MB", err, whole>>20)
		}
		r.Ledger.Answers.Refuse(err, numbers...)
	}
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

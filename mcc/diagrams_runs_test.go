package mcc

import (
	"bytes"
	"context"
	"strings"
	"testing"
	"time"

	"pnmc/logic"
	"pnmc/petri"
)

// chain is a net in which tokens go from p to q one by one, and no further.
func chain(t *testing.T, tokens int64) *petri.Net {
	b := &petri.Builder{}
	p, _ := b.AddPlace("p", "", tokens)
	q, _ := b.AddPlace("q", "", 0)
	move, _ := b.AddTransition("move", "")
	b.AddInput(p, move, 1)
	b.AddOutput(move, q, 1)
	n, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// atLeastTwo is q >= 2 in a chain.
func atLeastTwo() *logic.Predicate {
	return &logic.Predicate{Operator: logic.AtMost, Sum: logic.Sum{Constant: 2, Terms: []logic.Term{{Place: 1, Coefficient: -1}}}}
}

// onChain runs an engine on a chain of two tokens, within the seconds, for a reachable
// goal and a largest sum; answers are replayed on a chain of so many.
func onChain(t *testing.T, tokens int64, until time.Duration, engine func(context.Context, *run)) (told, explanation string) {
	var out, explain bytes.Buffer
	reduced := chain(t, 2)
	r := &run{net: reduced, start: time.Now(), deadline: time.Now().Add(until), options: Options{Explain: &explain}}
	ctx, cancel := context.WithDeadline(t.Context(), r.deadline)
	defer cancel()
	r.answers = &answers{out: &out, explain: &explain, start: r.start, given: make(map[string]string)}
	r.board = &board{net: reduced, answers: r.answers, allDone: cancel}
	r.board.ask(&question{id: "reach", onReached: "TRUE", onUnreachable: "FALSE"}, &atom{goal: atLeastTwo()})
	r.board.ask(&question{id: "bound"}, &atom{maximum: &logic.Sum{Terms: []logic.Term{{Place: 1, Coefficient: 1}}}})
	r.reducedForAll(ctx)
	r.board.net = chain(t, tokens)
	engine(ctx, r)
	return out.String(), explain.String()
}

// TestDiagramsReplay: what decision diagrams and state graphs find reachable is told
// with a run, and not told where the original net has no such run.
func TestDiagramsReplay(t *testing.T) {
	for name, engine := range map[string]func(context.Context, *run){"diagrams": diagramsAll, "state graph": exploreAll} {
		answers, explanation := onChain(t, 2, time.Minute, engine)
		if !strings.Contains(answers, "FORMULA reach TRUE ") || !strings.Contains(answers, "FORMULA bound 2 ") || strings.Count(explanation, "by a run of 2 steps: move") != 2 {
			t.Errorf("%s: %s%s", name, answers, explanation)
		}
		answers, explanation = onChain(t, 1, time.Second/2, engine)
		if answers != "" || strings.Count(explanation, "does not replay") != 2 {
			t.Errorf("%s, on another net: %s%s", name, answers, explanation)
		}
	}
}

// TestDiagramsWithoutRun: when the time is over before there is a run, the answer says so.
func TestDiagramsWithoutRun(t *testing.T) {
	answers, explanation := onChain(t, 2, time.Minute, func(ctx context.Context, r *run) {
		n := r.reducedForAll(ctx)
		s := r.exploreSymbolically(ctx, n.net)
		r.deadline = r.start // no time is left for runs
		r.showAtoms(ctx, s, n)
	})
	if !strings.Contains(answers, "FORMULA reach TRUE ") || !strings.Contains(answers, "FORMULA bound 2 ") ||
		strings.Count(explanation, "not replayed") != 2 || strings.Contains(explanation, "by a run") {
		t.Errorf("%s%s", answers, explanation)
	}
}

package asking_test

import (
	"errors"
	"runtime/debug"
	"strings"
	"testing"
	"time"

	"pnmc/checker/inquiry"
	"pnmc/checker/internal/asking"
	"pnmc/checker/internal/core/coretest"
	"pnmc/checker/internal/ledger"
	"pnmc/internal/account"
	"pnmc/petri"
)

// TestGoalsAskForMemory: a question that has a goal for each transition is not asked where there is no memory for these.
func TestGoalsAskForMemory(t *testing.T) {
	b := &petri.Builder{}
	const transitions = 20_000
	for i := range transitions {
		if _, err := b.AddTransition("t"+strings.Repeat("x", i%7)+string(rune('a'+i%26))+time.Duration(i).String(), ""); err != nil {
			t.Fatal(err)
		}
	}
	net, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	for name, room := range map[string]int64{"enough": 1 << 30, "too little": 4 << 20} {
		debug.FreeOSMemory()
		r, _ := coretest.NewTask(t, net, 1, time.Minute)
		whole := r.Budget
		r.Budget = petri.Budget{MemoryBytes: (account.InUse() + room) / 31 * 32}
		r.Whole = t.Context()
		asking.Put(t.Context(), r, &ledger.Part{Numbers: []int{0}}, []inquiry.Question{inquiry.Live{}})
		if atoms := len(r.Ledger.Atoms); (atoms >= transitions) != (room > 100<<20) {
			t.Errorf("%s: %d goals", name, atoms)
		}
		if refused := r.Ledger.Answers.Refused(0); errors.As(refused, new(*account.MemoryError)) != (room < 100<<20) {
			t.Errorf("%s: refused because of %v", name, refused)
		}
		r.Budget = whole
		if asking.Put(t.Context(), r, &ledger.Part{Numbers: []int{0}}, []inquiry.Question{inquiry.Live{}}); r.Ledger.Answers.Refused(0) != nil {
			t.Errorf("%s: put, and yet refused because of %v", name, r.Ledger.Answers.Refused(0))
		}
	}
}

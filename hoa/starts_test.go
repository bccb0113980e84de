package hoa

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

// TestManyInitialStates: initial states are read in time linear in their number.
func TestManyInitialStates(t *testing.T) {
	const states = 500_000
	var text strings.Builder
	fmt.Fprintf(&text, "HOA: v1\nStates: %d\n", states)
	for i := range states {
		fmt.Fprintf(&text, "Start: %d\n", i)
	}
	text.WriteString("AP: 1 \"p\"\nAcceptance: 1 Inf(0)\n--BODY--\n")
	for i := range states {
		fmt.Fprintf(&text, "State: %d\n[t] 0 {0}\n", i)
	}
	text.WriteString("--END--\n")
	done := make(chan struct{})
	go func() {
		defer close(done)
		a, err := NewReader(strings.NewReader(text.String()), "many.hoa").Read()
		if err != nil || len(a.Initial()) != states {
			t.Errorf("%v", err)
		}
	}()
	select {
	case <-done:
	case <-time.After(time.Minute):
		t.Fatal("it goes on and on")
	}
}

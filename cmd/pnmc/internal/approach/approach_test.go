package approach_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"pnmc/automata"
	"pnmc/cmd/pnmc/internal/approach"
	"pnmc/hoa"
)

// infinitelyOften accepts the words with infinitely many a.
const infinitelyOften = `HOA: v1
States: 1
Start: 0
AP: 1 "a"
Acceptance: 1 Inf(0)
--BODY--
State: 0
[0] 0 {0}
[!0] 0
--END--
`

func ExampleConvert() {
	a, err := hoa.NewReader(strings.NewReader(infinitelyOften), "recurrence.hoa").Read()
	if err != nil {
		fmt.Println(err)
		return
	}
	b, err := approach.Convert(context.Background(), a, "ba", false)
	fmt.Println(a.States(), b.States(), err)
	// Output: 1 2 <nil>
}

// TestConvertToEachKind: an automaton of recurrence, which stuttering does not change, can be
// made one of each kind.
func TestConvertToEachKind(t *testing.T) {
	for _, kind := range approach.Kinds {
		a, err := hoa.NewReader(strings.NewReader(infinitelyOften), "recurrence.hoa").Read()
		if err != nil {
			t.Fatal(err)
		}
		b, err := approach.Convert(t.Context(), a, kind, true)
		if err != nil || b.States() == 0 {
			t.Errorf("%s: %v", kind, err)
		}
		if isTesting := strings.HasSuffix(kind, "ta"); err == nil && isTesting != (b.Kind != automata.Plain) {
			t.Errorf("%s is of kind %v", kind, b.Kind)
		}
	}
}

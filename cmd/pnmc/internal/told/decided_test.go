package told

import (
	"encoding/json"
	"pnmc/checker"
	"testing"
)

// TestExploredStatesAreTold: where an answer rests on all markings, or all states of a product,
// JSON has their number.
func TestExploredStatesAreTold(t *testing.T) {
	for ground, want := range map[checker.Ground]Answer{
		checker.AllMarkings: {States: 7}, checker.TerminalStates: {States: 7}, checker.AllProductStates: {ProductStates: 7},
		checker.Equation: {}, checker.DiagramMarkings: {},
	} {
		d := Decided{Kind: Invariant}
		d.Answer = checker.Answer{Value: checker.Truth(true), Witness: checker.Witness{Ground: ground, Count: 7}}
		text, err := json.Marshal(Of(d))
		if err != nil {
			t.Fatal(err)
		}
		var got Answer
		if err := json.Unmarshal(text, &got); err != nil || got.States != want.States || got.ProductStates != want.ProductStates {
			t.Errorf("%s: %s, %v", grounds.Get()[ground], text, err)
		}
	}
}

// TestRunsThatAreNotShown: where an answer rests on a run for each place or transition, none of
// which is shown, it is not told that a run shows it.
func TestRunsThatAreNotShown(t *testing.T) {
	for kind, want := range map[Kind]string{Stable: "runs", QuasiLive: "runs", Safe: "run"} {
		d := Decided{Kind: kind, Answer: checker.Answer{Value: checker.Truth(kind == QuasiLive), Witness: checker.Witness{Ground: checker.ReachedMarking}}}
		if got := Of(d); got.Ground != want || got.Trace != nil {
			t.Errorf("%s: ground %q, run %v, want %q and none", kind, got.Ground, got.Trace, want)
		}
	}
}

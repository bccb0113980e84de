package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"testing"

	"pnmc/cmd/pnmc/internal/exit"
	"pnmc/cmd/pnmc/internal/told"
	"pnmc/internal/petritest"
)

// TestOwnTranslationIsReliedOn: what our own translation claims of stuttering is proven by the
// formula, so that the pure approaches rely on it without deciding it of the automaton, which
// has too many propositions here. The figures are those of docs/experiments.md.
func TestOwnTranslationIsReliedOn(t *testing.T) {
	model := petritest.ContestModel(t, "Philosophers-PT-000010")
	eat, think := "1", "1"
	for i := 1; i <= 8; i++ {
		eat += fmt.Sprintf(` & GF "Eat_%d>=1"`, i)
		think += fmt.Sprintf(` & GF "Think_%d>=1"`, i)
	}
	for _, test := range []struct {
		flags       []string
		transitions int64
	}{{nil, 3_760_200}, {[]string{"--distrust"}, 4_156_792}} {
		arguments := append([]string{"pnmc", "--pnml", model, "--ltl", "(" + eat + ") -> (" + think + ")", "--approach", "tgta", "--format", "json"}, test.flags...)
		var stdout, stderr bytes.Buffer
		if code := run(t.Context(), arguments, nil, &stdout, &stderr); code != exit.Holds {
			t.Fatalf("exit code %d, %s", code, &stderr)
		}
		var told told.Report
		if err := json.Unmarshal(stdout.Bytes(), &told); err != nil {
			t.Fatal(err)
		}
		if told.ProductStates.Int64() != 321_489 || told.ProductTransitions != test.transitions {
			t.Errorf("%v: %v product states, %d transitions, expected 321489 and %d", test.flags, told.ProductStates, told.ProductTransitions, test.transitions)
		}
	}
}

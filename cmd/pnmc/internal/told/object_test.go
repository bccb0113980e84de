package told

import (
	"bytes"
	"encoding/json"
	"errors"
	"runtime"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"pnmc/petri/symmetric"
)

// drawSteps returns steps of all kinds, or nil.
func drawSteps(t *rapid.T, label string) []Step {
	text := rapid.SampledFrom([]string{"", "t", "a b", `"<&>\`, "é\u2028", "\xff\x00", strings.Repeat("long€", 2000)})
	return rapid.SliceOfN(rapid.Custom(func(t *rapid.T) Step {
		s := Step{Transition: text.Draw(t, "transition"), Name: text.Draw(t, "name"),
			Times: rapid.SampledFrom([]int64{0, 2, 1 << 40}).Draw(t, "times"), Deadlock: rapid.Bool().Draw(t, "deadlock")}
		if rapid.Bool().Draw(t, "coloured") {
			s.Binding = rapid.MapOfN(text, text, 0, 4).Draw(t, "binding")
		}
		return s
	}), 0, 4).Draw(t, label)
}

// TestRunsAsEncodingJSON: objects with runs, written step by step, are those that encoding/json makes.
func TestRunsAsEncodingJSON(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		run := &Run{Prefix: drawSteps(t, "prefix"), Cycle: drawSteps(t, "cycle"), Dead: rapid.SampledFrom([]string{"", "<t>"}).Draw(t, "dead")}
		for range rapid.IntRange(0, 2).Draw(t, "branches") {
			b := Branch{Prefix: drawSteps(t, "prefix"), Cycle: drawSteps(t, "cycle")}
			if rapid.Bool().Draw(t, "from") {
				from, at := rapid.IntRange(0, 3).Draw(t, "from"), rapid.IntRange(0, 3).Draw(t, "at")
				b.From, b.At = &from, &at
			}
			run.Branches = append(run.Branches, b)
		}
		if rapid.Bool().Draw(t, "no cycle") {
			run.Cycle = nil
		}
		named := Named{Name: "G a<b", Kind: LTL, Verdict: Violated, Run: run}
		embedded := struct {
			Name    string `json:"name"`
			Kind    Kind   `json:"kind,omitempty"`
			Verdict string `json:"verdict,omitempty"`
			*Run
		}{named.Name, named.Kind, named.Verdict, run}
		answer, report := Answer{Name: "&", Value: Whole(3), Trace: run}, Report{Name: "&", Trace: run}
		var streamed, whole bytes.Buffer
		err := errors.Join(named.WriteJSON(&streamed), answer.WriteJSON(&streamed), report.WriteJSON(&streamed),
			WriteJSON(&whole, embedded), WriteJSON(&whole, answer), WriteJSON(&whole, report))
		if err != nil || streamed.String() != whole.String() {
			t.Fatalf("%v\n%s\nand not\n%s", err, &streamed, &whole)
		}
		if !json.Valid(bytes.SplitN(streamed.Bytes(), []byte("\n"), 2)[0]) {
			t.Fatal("no JSON")
		}
	})
}

// TestFiringsDoNotRepeatNames: steps of a coloured net with long names take no more than those with short
// ones, and are written with the names.
func TestFiringsDoNotRepeatNames(t *testing.T) {
	const firings = 1000
	id := strings.Repeat("t", 30_000)
	x := symmetric.VariableDeclaration{Name: "x", Class: &symmetric.Class{Name: "d", Size: firings}}
	net := &symmetric.Net{Transitions: []symmetric.Transition{{ID: id, Variables: []symmetric.VariableDeclaration{x}}}}
	run := make([]symmetric.Firing, firings)
	for i := range run {
		run[i].Binding = []int64{int64(i)}
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	steps := Firings(net, run)
	runtime.ReadMemStats(&after)
	if bytes := after.TotalAlloc - before.TotalAlloc; bytes > 1<<20 {
		t.Errorf("%d bytes for %d steps", bytes, firings)
	}
	var text bytes.Buffer
	named := Named{Name: "n", Run: &Run{Prefix: steps[7:8], Cycle: []Step{}}}
	if err := errors.Join(WriteRun(&text, "n", named.Run), named.WriteJSON(&text)); err != nil {
		t.Fatal(err)
	}
	want := "# n: 1 step\nprefix\n  t  # t[x=7]\n" + `{"name":"n","prefix":[{"transition":"t","name":"t[x=7]","binding":{"x":"7"}}],"cycle":[]}` + "\n"
	if got := strings.ReplaceAll(text.String(), id, "t"); got != want {
		t.Errorf("%s\nand not\n%s", got, want)
	}
}

package told

import "testing"

// A verdict in words has what decided it, how long that took, and a short run, or where a
// longer one is.
func TestWords(t *testing.T) {
	step := func(id string) Step { return Step{Transition: id} }
	long := make([]Step, 11)
	for _, c := range []struct {
		Answer Answer
		file   string
		want   string
	}{
		{Answer{Name: "AG p", Kind: CTL, Verdict: Holds, Ground: "state equation", Seconds: 0.031}, "", "AG p: holds, by state equation, in 30ms"},
		{Answer{Name: "G p", Kind: LTL, Verdict: Violated, Ground: "infinite run", Seconds: 2,
			Trace: &Run{Prefix: []Step{step("t"), {Transition: "u_a", Name: "u[x=a]", Times: 3}}, Cycle: []Step{{Deadlock: true}}}}, "",
			"G p: does not hold, by infinite run, in 2s: t, u[x=a] 3 times; again and again deadlock"},
		{Answer{Name: "bound p", Kind: Bound, Verdict: Value, Value: Whole(7), Ground: "run", Trace: &Run{}}, "",
			"bound p: 7, by run, in 0s: the initial marking shows it"},
		{Answer{Name: "deadlock", Kind: Deadlock, Verdict: Holds, Ground: "run", Trace: &Run{Prefix: long}}, "",
			"deadlock: yes, by run, in 0s: a run of 11 steps, which --trace FILE writes"},
		{Answer{Name: "deadlock", Kind: Deadlock, Verdict: Holds, Ground: "run", Trace: &Run{Prefix: long}}, "out.json",
			"deadlock: yes, by run, in 0s: a run of 11 steps is in out.json"},
		{Answer{Name: "live", Kind: Live, Verdict: Violated, Techniques: []string{"DECISION_DIAGRAMS"},
			Trace: &Run{Prefix: []Step{step("t")}, Dead: "u"}}, "", "live: no, by decision diagrams, in 0s: t; then u can never fire again"},
		{Answer{Name: "EF p", Kind: CTL, Verdict: Holds, Ground: "runs",
			Trace: &Run{Branches: []Branch{{Prefix: []Step{step("t")}}, {Prefix: []Step{step("u")}, Cycle: []Step{step("v")}}}}}, "",
			"EF p: holds, by runs, in 0s: part 1: t; part 2: u; again and again v"},
		{Answer{Name: "EF EG p", Kind: CTL, Verdict: Holds, Ground: "runs",
			Trace: &Run{Branches: []Branch{{}, {From: new(int), At: new(int), Prefix: []Step{step("t"), step("u")}}}}}, "",
			"EF EG p: holds, by runs, in 0s: part 1: no step; part 2, from part 1 after 0 firings: t, u"},
		{Answer{Name: "AG p", Kind: CTL, Verdict: Violated, Ground: "runs", Trace: &Run{Branches: []Branch{{}}}}, "",
			"AG p: does not hold, by runs, in 0s: the initial marking shows it"},
	} {
		if got := c.Answer.InWords(c.file); got != c.want {
			t.Errorf("got  %s\nwant %s", got, c.want)
		}
	}
}

package main

import (
	"bytes"
	"runtime"
	"runtime/debug"
	"strings"
	"testing"
)

// A verdict in words has what decided it, how long that took, and a short run, or where a
// longer one is.
func TestWords(t *testing.T) {
	step := func(id string) traceStep { return traceStep{Transition: id} }
	long := make([]traceStep, 11)
	for _, c := range []struct {
		answer answer
		file   string
		want   string
	}{
		{answer{Name: "AG p", Kind: kindCTL, Verdict: verdictHolds, Ground: "state equation", Seconds: 0.031}, "", "AG p: holds, by state equation, in 30ms"},
		{answer{Name: "G p", Kind: kindLTL, Verdict: verdictViolated, Ground: "infinite run", Seconds: 2,
			Trace: &trace{Prefix: []traceStep{step("t"), {Transition: "u_a", Name: "u[x=a]", Times: 3}}, Cycle: []traceStep{{Deadlock: true}}}}, "",
			"G p: does not hold, by infinite run, in 2s: t, u[x=a] 3 times; again and again deadlock"},
		{answer{Name: "bound p", Kind: kindBound, Verdict: verdictValue, Value: whole(7), Ground: "run", Trace: &trace{}}, "",
			"bound p: 7, by run, in 0s: the initial marking shows it"},
		{answer{Name: "deadlock", Kind: kindDeadlock, Verdict: verdictHolds, Ground: "run", Trace: &trace{Prefix: long}}, "",
			"deadlock: yes, by run, in 0s: a run of 11 steps, which --trace FILE writes"},
		{answer{Name: "deadlock", Kind: kindDeadlock, Verdict: verdictHolds, Ground: "run", Trace: &trace{Prefix: long}}, "out.json",
			"deadlock: yes, by run, in 0s: a run of 11 steps is in out.json"},
		{answer{Name: "live", Kind: kindLive, Verdict: verdictViolated, Techniques: []string{"DECISION_DIAGRAMS"},
			Trace: &trace{Prefix: []traceStep{step("t")}, Dead: "u"}}, "", "live: no, by decision diagrams, in 0s: t; then u can never fire again"},
		{answer{Name: "EF p", Kind: kindCTL, Verdict: verdictHolds, Ground: "runs",
			Trace: &trace{Branches: []branch{{Prefix: []traceStep{step("t")}}, {Prefix: []traceStep{step("u")}, Cycle: []traceStep{step("v")}}}}}, "",
			"EF p: holds, by runs, in 0s: t; u; again and again v"},
	} {
		if got := c.answer.words(c.file); got != c.want {
			t.Errorf("got  %s\nwant %s", got, c.want)
		}
	}
}

func TestVersion(t *testing.T) {
	var out bytes.Buffer
	if err := printVersion(&out); err != nil || !strings.HasPrefix(out.String(), "pnmc ") || !strings.Contains(out.String(), runtime.Version()) {
		t.Errorf("%v, %s", err, &out)
	}
	version, build := buildOf(&debug.BuildInfo{Main: debug.Module{Version: "v1.2.3"}, Settings: []debug.BuildSetting{
		{Key: "vcs.revision", Value: "abc"}, {Key: "vcs.modified", Value: "true"}, {Key: "vcs.time", Value: "2030-01-02T03:04:05Z"}}})
	if version != "v1.2.3" || build != "\nrevision abc, modified, of 2030-01-02T03:04:05Z" {
		t.Errorf("%q, %q", version, build)
	}
}

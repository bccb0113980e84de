package main

import (
	"fmt"
	"strings"
	"time"
)

// Where standard error is a terminal, somebody sits there: each verdict is told in words
// too. Standard output stays for programs.

// shortRun is how many steps of a run are told in words.
const shortRun = 10

// wordy reports whether verdicts are told in words.
func (s *session) wordy() bool { return s.Terminal && !s.Quiet }

// wording.Duration tells an answer in words.
func (s *session) inWords(r *answer) {
	if s.wordy() {
		s.Say("%s", r.words(s.c.String("trace")))
	}
}

// words is an answer as a sentence: the verdict, what decided it, how long it took, and a
// run, or where it is.
func (r *answer) words(file string) string {
	verdict := map[string]string{verdictHolds: "holds", verdictViolated: "does not hold"}[r.Verdict]
	if r.Kind != kindLTL && r.Kind != kindAutomaton && r.Kind != kindCTL && r.Kind != kindInvariant {
		verdict = map[string]string{verdictHolds: "yes", verdictViolated: "no"}[r.Verdict]
	}
	if r.Verdict == verdictValue {
		verdict = fmt.Sprint(r.Value)
	}
	by := r.Ground
	if by == "" {
		by = strings.ToLower(strings.ReplaceAll(strings.Join(r.Techniques, ", "), "_", " "))
	}
	spent := time.Duration(r.Seconds * float64(time.Second)).Round(10 * time.Millisecond)
	text := fmt.Sprintf("%s: %s, by %s, in %s", r.Name, verdict, by, spent)
	if r.Trace == nil {
		return text
	}
	return text + ": " + r.Trace.words(file)
}

// words is a run of a few steps, or where a longer one is.
func (t *trace) words(file string) string {
	steps := len(t.Prefix) + len(t.Cycle)
	for _, b := range t.Branches {
		steps += len(b.Prefix) + len(b.Cycle)
	}
	switch {
	case steps > shortRun && file == "-":
		return fmt.Sprintf("a run of %d steps is on standard output", steps)
	case steps > shortRun && file == "":
		return fmt.Sprintf("a run of %d steps, which --trace FILE writes", steps)
	case steps > shortRun:
		return fmt.Sprintf("a run of %d steps is in %s", steps, file)
	}
	var parts []string
	tell := func(prefix, cycle []traceStep) {
		if len(prefix) == 0 && len(cycle) == 0 {
			parts = append(parts, "the initial marking shows it")
			return
		}
		if len(prefix) > 0 {
			parts = append(parts, joinSteps(prefix))
		}
		if len(cycle) > 0 {
			parts = append(parts, "again and again "+joinSteps(cycle))
		}
	}
	if len(t.Branches) == 0 {
		tell(t.Prefix, t.Cycle)
	}
	for _, b := range t.Branches {
		tell(b.Prefix, b.Cycle)
	}
	if t.Dead != "" {
		parts = append(parts, "then "+t.Dead+" can never fire again")
	}
	return strings.Join(parts, "; ")
}

func joinSteps(steps []traceStep) string {
	words := make([]string, len(steps))
	for i, s := range steps {
		switch words[i] = s.Transition; {
		case s.Deadlock:
			words[i] = "deadlock"
		case s.Name != "":
			words[i] = s.Name
		}
		if s.Times > 1 {
			words[i] += fmt.Sprintf(" %d times", s.Times)
		}
	}
	return strings.Join(words, ", ")
}

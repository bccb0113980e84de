package mcc

import (
	"fmt"
	"slices"
	"strings"

	"pnmc/checker"
	"pnmc/petri"
)

// mostTold bounds the firings of a witness that --explain tells.
const mostTold = 60

// told is a run in words: the identifiers of its transitions, with a factor where
// one fires several times in a row, and how many more there are.
func told(net *petri.Net, run []checker.Burst) string {
	if len(run) == 0 {
		return "none"
	}
	var words []string
	for i, b := range run {
		if i == mostTold {
			words = append(words, fmt.Sprintf("and %d more", len(run)-i))
			break
		}
		word := net.TransitionLabel(b.Transition).ID
		if b.Times > 1 {
			word += fmt.Sprintf(" ×%d", b.Times)
		}
		words = append(words, word)
	}
	return strings.Join(words, ", ")
}

// toldSteps is told of a run, or a cycle, of a reduced net; a deadlock that repeats
// its marking is no firing.
func (c *linearCheck) toldSteps(net *petri.Net, steps []checker.Step) string {
	var run []checker.Burst
	for _, s := range steps {
		if s.Stutter {
			continue
		}
		if len(run) > mostTold || c.reduction.SequenceLength(s.Transition) > longestWord {
			break
		}
		for _, t := range c.reduction.Sequence(nil, s.Transition) {
			run = append(run, checker.Burst{Transition: t, Times: 1})
		}
	}
	return told(net, run)
}

// toldReplay is what a replay showed: err, unless nil, is why not all.
func toldReplay(replay *checker.CTLReplay, err error) string {
	if err != nil {
		return notShown(err)
	}
	var parts []string
	for _, run := range replay.Runs {
		part := fmt.Sprintf("a run of %d steps: %s", len(run.Prefix), told(replay.Net, bursts(run.Prefix)))
		if len(run.Cycle) > 0 {
			part += fmt.Sprintf(", and a cycle of %d: %s", len(run.Cycle), told(replay.Net, bursts(run.Cycle)))
		}
		parts = append(parts, part)
	}
	if len(parts) == 0 {
		return "no run can show it"
	}
	return "replayed: " + strings.Join(parts, "; ")
}

// notShown tells that an answer has no run that was replayed to its end.
func notShown(err error) string { return fmt.Sprintf("not replayed (%v)", err) }

// bursts is a run with each firing by itself.
func bursts(run []petri.Transition) []checker.Burst {
	list := make([]checker.Burst, len(run))
	for i, t := range run {
		list[i] = checker.Burst{Transition: t, Times: 1}
	}
	return list
}

// toDeadlock follows run, which led to m, to a deadlock if whatever is enabled leads
// to one within longestEnding steps; m becomes its marking. A net that is reduced for
// deadlocks is dead where in the original one only producers of agglomerated places
// can still fire, and only finitely often.
func toDeadlock(net *petri.Net, m petri.Marking, run []checker.Burst) []checker.Burst {
	longer := slices.Clone(run)
	t, idle := petri.Transition(0), 0 // how many before t are known to be disabled
	for steps := 0; idle < net.Transitions() && steps < longestEnding; {
		if net.Fire(m, t) {
			longer = append(longer, checker.Burst{Transition: t, Times: 1})
			steps, idle = steps+1, 0
			continue
		}
		idle++
		t = petri.Transition((int(t) + 1) % net.Transitions())
	}
	return longer
}

// longestEnding bounds the steps that toDeadlock takes.
const longestEnding = 1 << 16

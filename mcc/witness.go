package mcc

import (
	"fmt"
	"strings"

	"pnmc/checker"
	"pnmc/checker/witness"
	"pnmc/petri"
	"pnmc/petri/symmetric"
)

// mostTold bounds the firings of a witness that --explain prints.
const mostTold = 60

// shown returns what shows an answer, in words: for a deadlock perhaps "reached by a run of 2 steps:
// take0, take1", and for an unreachable goal "contradicts the state equation".
func shown(problem checker.Problem, answer checker.Answer) string {
	w := &answer.Witness
	how := grounds(problem, answer)
	if w.Unshown != nil {
		how = joined(how, fmt.Sprintf("not replayed (%v)", w.Unshown))
	}
	if w.Skeleton {
		how += ", on the skeleton"
	}
	return how
}

// joined returns two parts of a sentence as one. how may be empty.
func joined(how, more string) string {
	if how == "" {
		return more
	}
	return how + "; " + more
}

// grounds returns what an answer rests on, in words.
func grounds(problem checker.Problem, answer checker.Answer) string {
	w := &answer.Witness
	switch w.Ground {
	case checker.InitialMarking:
		return "decided in the initial marking"
	case checker.ReachedMarking:
		return reached(problem, answer)
	case checker.InfiniteRun:
		return infiniteRun(problem, w)
	case checker.Pump:
		if !w.HasRun() {
			return "a marking covers one before it"
		}
		return fmt.Sprintf("after %d steps, %d others can be repeated for ever", len(w.Run), len(w.Cycle))
	case checker.Branches:
		return branches(problem, answer)
	case checker.DeadTransition:
		return dead(problem, w)
	case checker.NetStructure:
		return "the structure of the net shows it"
	case checker.Invariants:
		return "beyond the bounds of places"
	case checker.Equation:
		return "contradicts the state equation"
	case checker.Induction:
		return "an inductive invariant excludes it"
	case checker.AllMarkings:
		return fmt.Sprintf("all of %d markings were seen", w.Count)
	case checker.AllProductStates:
		return fmt.Sprintf("no counterexample among %d product states", w.Count)
	case checker.TerminalStates:
		return "every transition fires in every terminal component"
	case checker.DiagramMarkings:
		return "all markings are in a decision diagram"
	case checker.DiagramProduct:
		return "no accepted run in the product of diagrams"
	}
	return ""
}

// reached reports a run to a marking with the goal, or with the largest value.
func reached(problem checker.Problem, answer checker.Answer) string {
	w := &answer.Witness
	what := "reached"
	if _, number := answer.Value.Number(); number {
		what = "value reached"
	}
	switch {
	case w.Coloured:
		return fmt.Sprintf("%s by a run of %d steps of the coloured net: %s", what, len(w.Bindings), toldFirings(problem.Coloured, w.Bindings))
	case w.Net == nil:
		return "a run reaches the bound proven"
	}
	return fmt.Sprintf("%s by a run of %d steps: %s", what, len(w.Run), told(w.Net, w.Run))
}

// infiniteRun reports a run that violates a formula of linear time. It says whether the run
// ends in a deadlock, goes on in a cycle, or violates the formula however it goes on.
func infiniteRun(problem checker.Problem, w *checker.Witness) string {
	if w.Coloured {
		how := fmt.Sprintf("shown by a run of %d steps of the coloured net: %s", len(w.Bindings), toldFirings(problem.Coloured, w.Bindings))
		switch {
		case w.Ends:
			how += "; it ends in a deadlock"
		case len(w.BindingsCycle) > 0:
			how += fmt.Sprintf("; and a cycle of %d: %s", len(w.BindingsCycle), toldFirings(problem.Coloured, w.BindingsCycle))
		}
		return how
	}
	if len(w.Cycle) == 0 && !w.Ends {
		return fmt.Sprintf("violated by all runs that begin with %d steps: %s", len(w.Run), told(w.Net, w.Run))
	}
	how := fmt.Sprintf("violated by a run of %d steps", len(w.Run))
	if w.Ends {
		return how + ", which ends in a deadlock: " + told(w.Net, w.Run)
	}
	return how + fmt.Sprintf(" and a cycle of %d: %s; cycle: %s", len(w.Cycle), told(w.Net, w.Run), told(w.Net, w.Cycle))
}

// branches reports how a formula of CTL was decided, and the runs that were replayed for
// it.
func branches(problem checker.Problem, answer checker.Answer) string {
	w, how := &answer.Witness, ""
	switch {
	case w.Count > 0:
		how = fmt.Sprintf("on all of %d states", w.Count)
	case answer.By&checker.DecisionDiagrams != 0:
		how = "decided by sets of markings"
	case answer.By&checker.ExplicitSearch != 0:
		how = "decided on the fly"
	}
	if w.Unshown != nil {
		return how
	}
	var parts []string
	for _, run := range w.Branches {
		if w.Coloured {
			parts = append(parts, fmt.Sprintf("a run of %d steps of the coloured net: %s", len(run.Bindings), toldFirings(problem.Coloured, run.Bindings)))
			continue
		}
		part := fmt.Sprintf("a run of %d steps: %s", len(run.Prefix), toldTransitions(w.Net, run.Prefix))
		if len(run.Cycle) > 0 {
			part += fmt.Sprintf(", and a cycle of %d: %s", len(run.Cycle), toldTransitions(w.Net, run.Cycle))
		}
		parts = append(parts, part)
	}
	if len(parts) == 0 {
		return joined(how, "no run can show it")
	}
	return joined(how, "replayed: "+strings.Join(parts, "; "))
}

// dead reports a transition that some terminal component lacks, and a run after which it is
// dead.
func dead(problem checker.Problem, w *checker.Witness) string {
	name := ""
	if problem.Coloured != nil {
		name = problem.Coloured.Transitions[w.Dead].ID
	} else {
		name = problem.Net.TransitionLabel(petri.Transition(w.Dead)).ID
	}
	how := "not in every terminal component: transition " + name
	if w.HasRun() {
		how += fmt.Sprintf(", after a run of %d steps: %s", len(w.Run), told(w.Net, w.Run))
	}
	if w.Confirmed {
		how += ", as what follows it shows"
	}
	return how
}

// told returns a run in words: the identifiers of its transitions, with a factor where
// one fires several times in a row, and how many more there are.
func told(net *petri.Net, run []witness.Burst) string {
	return listed(len(run), func(i int) string {
		word := net.TransitionLabel(run[i].Transition).ID
		if run[i].Times > 1 {
			word += fmt.Sprintf(" ×%d", run[i].Times)
		}
		return word
	})
}

// toldTransitions returns a run in words: the identifiers of its transitions, and how many more
// there are.
func toldTransitions(net *petri.Net, run []petri.Transition) string {
	return listed(len(run), func(i int) string { return net.TransitionLabel(run[i]).ID })
}

// toldFirings returns a run in words: transitions with their bindings, and how many
// more there are.
func toldFirings(net *symmetric.Net, run []symmetric.Firing) string {
	return listed(len(run), func(i int) string {
		t := &net.Transitions[run[i].Transition]
		return t.ID + "[" + t.Binding(run[i].Binding) + "]"
	})
}

// listed returns the first words of a list, and how many more there are.
func listed(length int, word func(i int) string) string {
	if length == 0 {
		return "none"
	}
	var words []string
	for i := range min(length, mostTold) {
		words = append(words, word(i))
	}
	if length > mostTold {
		words = append(words, fmt.Sprintf("and %d more", length-mostTold))
	}
	return strings.Join(words, ", ")
}

package checker

import (
	"slices"

	"pnmc/checker/branching"
	"pnmc/checker/witness"
	"pnmc/petri"
)

// bursts is a run with each firing by itself.
func bursts(run []petri.Transition) []witness.Burst {
	list := make([]witness.Burst, len(run))
	for i, t := range run {
		list[i] = witness.Burst{Transition: t, Times: 1}
	}
	return list
}

// toDeadlock follows run, which led to m, to a deadlock if whatever is enabled leads
// to one within longestEnding steps; m becomes its marking. A net that is reduced for
// deadlocks is dead where in the original one only producers of agglomerated places
// can still fire, and only finitely often.
func toDeadlock(net *petri.Net, m petri.Marking, run []witness.Burst) []witness.Burst {
	longer := slices.Clone(run)
	t, idle := petri.Transition(0), 0 // how many before t are known to be disabled
	for steps := 0; idle < net.Transitions() && steps < longestEnding; {
		if net.Fire(m, t) {
			longer = append(longer, witness.Burst{Transition: t, Times: 1})
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

// replayed is what a replay of a formula of CTL showed: err, unless nil, is why not all.
func replayed(replay *branching.Replay, err error) Witness {
	shown := Witness{Ground: Branches, Branches: replay.Runs, Unshown: err}
	if len(replay.Runs) > 0 {
		shown.Net = replay.Net
	}
	return shown
}

package ledger

import (
	"slices"

	"pnmc/checker/witness"
	"pnmc/petri"
)

// ToDeadlock follows run, which led to m, to a deadlock if whatever is enabled leads
// to one within longestEnding steps; m becomes its marking. A net that is reduced for
// deadlocks is dead where in the original one only producers of agglomerated places
// can still fire, and only finitely often.
func ToDeadlock(net *petri.Net, m petri.Marking, run []witness.Burst) []witness.Burst {
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

// longestEnding bounds the steps that ToDeadlock takes.
const longestEnding = 1 << 16

package ledger

import (
	"math"
	"math/rand/v2"
	"slices"

	"pnmc/checker/witness"
	"pnmc/petri"
)

// ToDeadlock follows run, which led to m, to a deadlock if whatever is enabled leads
// to one within longestEnding steps; m becomes its marking. A net that is reduced for
// deadlocks is dead where in the original one only producers of agglomerated places
// can still fire, or a part that ends by itself, and only finitely often.
func ToDeadlock(net *petri.Net, m petri.Marking, run []witness.Burst) []witness.Burst {
	longer := slices.Clone(run)
	turns := make([]petri.Transition, net.Transitions())
	for t := range turns {
		turns[t] = petri.Transition(t)
	}
	random := rand.New(rand.NewPCG(0, 0)) // the same run each time
	for steps := 0; steps < longestEnding; {
		before := steps
		for _, t := range turns {
			if times := fireOften(net, m, t); times > 0 {
				longer = append(longer, witness.Burst{Transition: t, Times: times})
				if steps++; steps == longestEnding {
					break
				}
			}
		}
		if steps == before {
			break // nothing can change anything
		}
		random.Shuffle(len(turns), func(i, j int) { turns[i], turns[j] = turns[j], turns[i] })
	}
	return longer
}

// longestEnding bounds the steps that ToDeadlock takes. Each step fires a transition as often as
// possible. They take turns, in an order that changes at random: where some go round in a circle,
// another may lead out of it, and in one and the same order it could always come too late.
const longestEnding = 1 << 16

// fireOften fires t until it is disabled, if it disables itself and nothing but lacking tokens
// does, or else once. It returns how often it fired: not at all if that changes nothing, as it could go on
// so for ever.
func fireOften(net *petri.Net, m petri.Marking, t petri.Transition) int64 {
	var few [16]petri.Arc // mostly enough, and no garbage
	effect := net.AppendEffect(few[:0], t)
	if len(effect) == 0 && net.Plain() || !net.Fire(m, t) {
		return 0
	}
	if !net.Plain() {
		return 1
	}
	more, pre := int64(math.MaxInt64), net.Pre(t)
	for _, c := range effect {
		if c.Weight > 0 {
			more = min(more, max(0, witness.TokenLimit-m[c.Place])/c.Weight)
			continue
		}
		for pre[0].Place != c.Place {
			pre = pre[1:]
		}
		if m[c.Place] < pre[0].Weight {
			return 1
		}
		more = min(more, (m[c.Place]-pre[0].Weight)/-c.Weight+1)
	}
	if !slices.ContainsFunc(effect, func(c petri.Arc) bool { return c.Weight < 0 }) {
		return 1
	}
	for _, c := range effect {
		m[c.Place] += more * c.Weight
	}
	return 1 + more
}

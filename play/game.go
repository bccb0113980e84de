package play

import (
	"context"
	"fmt"

	"pnmc/internal/account"
	"pnmc/petri"
)

// Stay is a step in which nothing fires, since nothing can.
const Stay = petri.Transition(1<<32 - 1)

// Run is a run that is played, from the initial marking on. After the last step of a cycle
// comes its first one again.
type Run struct {
	Name          string
	Prefix, Cycle []petri.Transition
}

// step returns the transition at a position, or false at the end.
func (r *Run) step(position int) (petri.Transition, bool) {
	if position < len(r.Prefix) {
		return r.Prefix[position], true
	}
	if len(r.Cycle) == 0 {
		return 0, false
	}
	return r.Cycle[(position-len(r.Prefix))%len(r.Cycle)], true
}

// Game is a net with the transitions that were fired. It keeps one marking: firing can be
// taken back, by the opposite of the transition's effect. Only a transition that empties places
// can't, as the marking does not say what they had; then all steps before are fired again.
//
// A run that is played is a suggestion. As long as what was fired is the run's beginning, Next returns
// its next step. Once another transition is fired, follows stays behind, and ToRun takes back what
// is not of the run.
type Game struct {
	Net     *petri.Net
	Runs    []Run
	run     int // the one that is played
	marking petri.Marking
	fired   []petri.Transition
	follows int // how many of fired are the run's first steps
}

// NewGame returns a game in the initial marking. The error reports a run that does not fire, or is the
// reason to stop if the context ends or the budget of memory in it is spent before all runs were fired.
func NewGame(ctx context.Context, net *petri.Net, runs []Run) (*Game, error) {
	work := account.Of(ctx)
	for _, r := range runs {
		if err := work.Reserve(net.Places() * placeBytes); err != nil {
			return nil, err
		}
		m := net.Initial()
		for i := range len(r.Prefix) + len(r.Cycle) {
			if err := work.Charge(account.StateWork); err != nil {
				return nil, err
			}
			if t, _ := r.step(i); t == Stay && !net.Deadlock(m) || t != Stay && !net.Fire(m, t) {
				return nil, fmt.Errorf("%s: step %d, %s, does not fire on this net", r.Name, i+1, stepName(net, t))
			}
		}
	}
	g := &Game{Net: net, Runs: runs}
	g.Restart()
	return g, nil
}

// placeBytes is what a place takes in a marking.
const placeBytes = 8

// stepName returns what a step is called.
func stepName(net *petri.Net, t petri.Transition) string {
	if t == Stay {
		return "a deadlock, in which nothing fires"
	}
	return labelText(net.TransitionLabel(t))
}

// labelText returns the name of a node, or its identifier if it has none.
func labelText(l petri.Label) string {
	if l.Name != "" {
		return l.Name
	}
	return l.ID
}

// Restart goes back to the initial marking.
func (g *Game) Restart() {
	g.marking, g.fired, g.follows = g.Net.Initial(), nil, 0
}

// Fire fires a transition, or stays in a deadlock. It reports whether it could.
func (g *Game) Fire(t petri.Transition) bool {
	if t == Stay && !g.Net.Deadlock(g.marking) || t != Stay && !g.Net.Fire(g.marking, t) {
		return false
	}
	if next, ok := g.Next(); ok && next == t {
		g.follows++
	}
	g.fired = append(g.fired, t)
	return true
}

// Undo takes the last step back. It reports whether there was one.
func (g *Game) Undo() bool {
	t, ok := g.Last()
	if !ok {
		return false
	}
	if t != Stay && len(g.Net.Resets(t)) > 0 {
		g.marking = g.again()
	} else if t != Stay {
		for _, a := range g.Net.Effect(t) {
			g.marking[a.Place] -= a.Weight
		}
	}
	g.fired = g.fired[:len(g.fired)-1]
	g.follows = min(g.follows, len(g.fired))
	return true
}

// again returns the marking before the last step, for which all steps before are fired again:
// what a reset has taken is not known any more.
func (g *Game) again() petri.Marking {
	m := g.Net.Initial()
	for _, t := range g.fired[:len(g.fired)-1] {
		if t != Stay {
			g.Net.Fire(m, t)
		}
	}
	return m
}

// Next returns the run's next step, while all that was fired is of the run.
func (g *Game) Next() (petri.Transition, bool) {
	if len(g.Runs) == 0 || g.follows < len(g.fired) {
		return 0, false
	}
	return g.Runs[g.run].step(g.follows)
}

// Forward fires the run's next step, and reports whether it did.
func (g *Game) Forward() bool {
	next, ok := g.Next()
	return ok && g.Fire(next)
}

// ToRun takes back what is not of the run.
func (g *Game) ToRun() {
	for len(g.fired) > g.follows {
		g.Undo()
	}
}

// End goes to the end of the run: behind its cycle, if it has one.
func (g *Game) End() {
	g.ToRun()
	if len(g.Runs) > 0 {
		for r := &g.Runs[g.run]; g.follows < len(r.Prefix)+len(r.Cycle) && g.Forward(); {
		}
	}
}

// ToCycle goes to the marking in which the cycle begins. It reports false if there is
// no cycle to go to.
func (g *Game) ToCycle() bool {
	if len(g.Runs) == 0 || len(g.Runs[g.run].Cycle) == 0 {
		return false
	}
	g.Restart()
	for g.follows < len(g.Runs[g.run].Prefix) && g.Forward() {
	}
	return true
}

// Choose plays another run from its start, so many further in the list.
func (g *Game) Choose(step int) {
	if n := len(g.Runs); n > 0 {
		g.run = ((g.run+step)%n + n) % n
		g.Restart()
	}
}

// Enabled returns the transitions that can fire and are wanted, at most so many, and whether there
// are more.
func (g *Game) Enabled(most int, wanted func(petri.Transition) bool) (list []petri.Transition, more bool) {
	for t := range petri.Transition(g.Net.Transitions()) {
		if g.Net.Enabled(g.marking, t) && wanted(t) {
			if len(list) == most {
				return list, true
			}
			list = append(list, t)
		}
	}
	return list, false
}

// Tokens returns those of a place.
func (g *Game) Tokens(p petri.Place) int64 { return g.marking[p] }

// Changes returns how many more tokens the last step made of places, where it changed them.
func (g *Game) Changes() map[petri.Place]int64 {
	changes := make(map[petri.Place]int64)
	if t, ok := g.Last(); ok && t != Stay && len(g.Net.Resets(t)) > 0 {
		for p, tokens := range g.again() {
			if tokens != g.marking[p] {
				changes[petri.Place(p)] = g.marking[p] - tokens
			}
		}
	} else if ok && t != Stay {
		for _, a := range g.Net.Effect(t) {
			changes[a.Place] = a.Weight
		}
	}
	return changes
}

// Last returns the last step, if there was one.
func (g *Game) Last() (petri.Transition, bool) {
	if len(g.fired) == 0 {
		return 0, false
	}
	return g.fired[len(g.fired)-1], true
}

package stutter

import (
	"context"

	"pnmc/automata"
	"pnmc/automata/internal/marked"
)

// Closure returns an automaton for all words that differ from words of a by stuttering. The
// language of a is stutter-invariant if and only if the closure has no word more. It is the twin
// that decisions of stutter invariance are tested against.
//
// It has a copy (s, l) of each state s for each class of letters l: s was reached by reading l. A
// loop of (s, l) on l repeats that letter. A shortcut does in one step what several steps of a for
// the same letter do. So a word that is accepted has a run of a over a word that says the same with
// other numbers of repetitions. The loops are in no acceptance set: to stutter for ever is not to
// go on, unless the automaton itself does so.
//
// An error is that of the context, or that a has too many letters or too large labels.
func Closure(ctx context.Context, a *automata.Automaton) (*automata.Automaton, error) {
	r, err := marked.NewReducible(ctx, a)
	if err != nil {
		return nil, err
	}
	letters := lettersOf(r, 1<<10)
	words := over(r, letters).withShortcuts()
	b := automata.NewBuilder(a.Propositions, a.Acceptance)
	b.Within(ctx)
	b.AddStates(a.States() * (1 + len(letters)))
	for _, s := range a.Initial() {
		b.AddInitial(s)
	}
	// State s×(1+letters) + 1+l: the last letter was l.
	at := func(s automata.State, l int) automata.State {
		return automata.State(a.States() + int(s)*len(letters) + l)
	}
	for s := range automata.State(a.States()) {
		for l, letter := range letters {
			label, err := r.Functions.LabelOver(letter, len(a.Propositions))
			if err != nil {
				return nil, err
			}
			b.AddEdge(at(s, l), label, automata.NewMarks(a.Acceptance.Sets), at(s, l))
			for _, m := range words.of(s, l) {
				b.AddEdge(s, label, automata.Marks{m.Marks}, at(m.To, l))
				for k := range letters {
					b.AddEdge(at(s, k), label, automata.Marks{m.Marks}, at(m.To, l))
				}
			}
		}
	}
	closed, err := b.Build()
	if err != nil {
		return nil, err
	}
	if a.Acceptance.Sets == 0 {
		return closedSafety(ctx, closed)
	}
	return closed, nil
}

// withShortcuts returns an automaton with the moves of a, and those that do in one step what
// several steps for the same letter do.
func (a *lettered) withShortcuts() *lettered {
	c := &lettered{letters: a.letters, sets: a.sets, moves: make([][]marked.Move, len(a.moves))}
	for at := range a.moves {
		l := at % a.letters
		list := append([]marked.Move(nil), a.moves[at]...)
		seen := map[marked.Move]bool{}
		for _, m := range list {
			seen[m] = true
		}
		for i := 0; i < len(list); i++ {
			for _, m := range a.of(list[i].To, l) {
				m.Marks |= list[i].Marks
				if !seen[m] {
					seen[m] = true
					list = append(list, m)
				}
			}
		}
		c.moves[at] = list
	}
	return c
}

// closedSafety adds the acceptance set that a closure of an automaton
// without any needs: loops that stutter are not in it.
func closedSafety(ctx context.Context, a *automata.Automaton) (*automata.Automaton, error) {
	b := automata.NewBuilder(a.Propositions, automata.GeneralizedBuchi(1))
	b.Within(ctx)
	b.AddStates(a.States())
	for _, s := range a.Initial() {
		b.AddInitial(s)
	}
	loops := map[automata.State]bool{}
	for s := range automata.State(a.States()) {
		for e, end := a.Out(s); e < end; e++ {
			marks := automata.NewMarks(1, 0)
			if a.Destination(e) == s && !loops[s] {
				marks = automata.NewMarks(1) // the first loop stands for stuttering
				loops[s] = true
			}
			b.AddEdge(s, a.Label(e), marks, a.Destination(e))
		}
	}
	return b.Build()
}

package stutter

import (
	"context"
	"errors"
	"slices"

	"pnmc/automata"
	"pnmc/automata/bdd"
	"pnmc/automata/complement"
	"pnmc/automata/internal/marked"
)

// Limits of the decision on stutter-invariance. Beyond them it is not known.
const (
	stutterLetters    = 1 << 10
	stutterShortcuts  = 1 << 11
	stutterGameWork   = 1 << 21 // pairs of moves compared in a game: a second
	stutterWork       = 1 << 24 // edges of products, steps of a complement: two seconds
	stutterStateWork  = 1 << 20 // the same, for all states by themselves
	stutterClaimWork  = 1 << 16 // the same, where there is a claim to fall back on
	stutterEdges      = 1 << 21 // of a product, to be kept: 50 MB
	stutterComplement = 1 << 16 // states
)

// Invariance is what is known of the languages of an automaton's states: that
// they do not change when letters are repeated, or repetitions left out.
type Invariance struct {
	// Whole: the language of the automaton is stutter-invariant.
	Whole bool
	// Refuted: it is not. Where neither is true, it is not known.
	Refuted bool
	// States has the states whose language is known to be stutter-invariant.
	States []bool
}

// All reports whether every state's language is known to be stutter-invariant.
func (v Invariance) All() bool {
	for _, known := range v.States {
		if !known {
			return false
		}
	}
	return true
}

// ClaimedInvariance believes the automaton's claim. Nothing is said of single
// states.
func ClaimedInvariance(a *automata.Automaton) Invariance {
	return Invariance{Whole: a.Claims&automata.ClaimStutterInvariant != 0, States: make([]bool, a.States())}
}

// DecideInvariance finds out for which states of a, which is plain, the language is
// stutter-invariant: words that differ from accepted ones by repetitions must be
// accepted. Its methods are exact, and do not look at claims. The automaton of such
// words, with loops and shortcuts ("Practical stutter-invariance checks for ω-regular
// languages", Michaud and Duret-Lutz, 2015), is compared with a itself: if a simulates
// it, the language is invariant. Otherwise it is run side by side with the complement,
// which is computed on the fly. Where a limit is exceeded, a language is not known to
// be invariant. Nothing is said of single states where the acceptance condition is not
// generalized Büchi.
func DecideInvariance(ctx context.Context, a *automata.Automaton) (Invariance, error) {
	return decideLanguages(ctx, a, Invariance{States: make([]bool, a.States())}, stutterWork)
}

// DecideStatesInvariance does what DecideInvariance does where the whole is claimed to be
// stutter-invariant. With little effort it looks whether that is Refuted.
func DecideStatesInvariance(ctx context.Context, a *automata.Automaton) (Invariance, error) {
	return decideLanguages(ctx, a, Invariance{Whole: true, States: make([]bool, a.States())}, stutterClaimWork)
}

// DecideWholeInvariance decides what DecideInvariance does for the initial states only, of an
// automaton with generalized Büchi acceptance. Where simulation does not show it, it asks for
// an automaton for the complement, such as that of a negated formula. The complement must
// have the same condition and propositions. It is nil if there is none.
func DecideWholeInvariance(ctx context.Context, a *automata.Automaton, complement func() (*automata.Automaton, error)) (bool, error) {
	decision, err := newStutterDecision(ctx, a)
	if err != nil || decision == nil {
		return false, err
	}
	if decision.shown(decision.automaton.Initial()) {
		return true, nil
	}
	given, err := complement()
	if err != nil {
		return false, err
	}
	if given != nil {
		answer, err := decision.by(ctx, given)
		if err != nil || answer != stutterUnknown {
			return answer == stutterInvariant, err
		}
	}
	answer, err := decision.of(ctx, decision.automaton.Initial())
	return answer == stutterInvariant, err
}

// RefutesInvariance reports whether little effort shows that the language of a is not
// stutter-invariant, which it claims.
func RefutesInvariance(ctx context.Context, a *automata.Automaton) (bool, error) {
	decision, err := newStutterDecision(ctx, a)
	if err != nil || decision == nil {
		return false, err
	}
	decision.work = stutterClaimWork
	answer, err := decision.of(ctx, decision.automaton.Initial())
	return answer == stutterSensitive, err
}

// decideLanguages completes what is known of the whole, with so much effort for it,
// and of the states.
func decideLanguages(ctx context.Context, a *automata.Automaton, v Invariance, effort int) (Invariance, error) {
	decision, err := newStutterDecision(ctx, a)
	if err != nil || decision == nil {
		return v, err
	}
	decision.work = effort
	answer, err := decision.of(ctx, decision.automaton.Initial())
	if err != nil {
		return v, err
	}
	decision.work = stutterStateWork
	v.Refuted = answer == stutterSensitive
	v.Whole = !v.Refuted && (v.Whole || answer == stutterInvariant)
	if decision.automaton != a {
		return v, nil
	}
	if v.Whole {
		if deterministic, _ := automata.IsDeterministic(ctx, a); deterministic {
			// If words are invariant, so are their rests after a prefix.
			copy(v.States, automata.Reachable(a))
		}
	}
	single := len(a.Initial()) == 1
	for s, done := range v.States {
		switch {
		case done:
		case single && a.Initial()[0] == automata.State(s):
			v.States[s] = v.Whole
		default:
			answer, err := decision.of(ctx, []automata.State{automata.State(s)})
			if err != nil {
				return v, err
			}
			v.States[s] = answer == stutterInvariant
		}
	}
	return v, nil
}

// stutterAnswer is what a decision came to.
type stutterAnswer uint8

const (
	stutterUnknown stutterAnswer = iota // a limit was exceeded
	stutterInvariant
	stutterSensitive
)

// stutterDecision decides on languages of an automaton with generalized Büchi
// acceptance. Its work is shared by all of them.
//
// A language is stutter-invariant if it has all words that come of its words by
// repetitions, and all that come by leaving repetitions out. Each of the two is a question for a
// game and for a search of its own. A language may have one property without the other. The words
// of a & X a, for example, begin with a twice. However their letters are repeated, they still do.
// But a a !a … is one of its words, and a !a …, with a repetition left out, is none.
type stutterDecision struct {
	automaton   *automata.Automaton
	fair        *marked.Reducible // for it
	repetitions stutterGame       // where repetitions are added; both against the automaton
	removals    stutterGame       // where they are left out
	work        int
}

// newStutterDecision prepares the decision on a, or on an automaton for the same
// language; nil where a limit is exceeded.
func newStutterDecision(ctx context.Context, a *automata.Automaton) (*stutterDecision, error) {
	b, err := complement.WithGeneralizedBuchi(ctx, a)
	if errors.Is(err, complement.ErrConditionTooLarge) || errors.Is(err, complement.ErrBuchiTooLarge) {
		return nil, nil
	} else if err != nil {
		return nil, err
	}
	r, err := marked.NewReducible(ctx, b)
	if errors.Is(err, marked.ErrTooManySets) || errors.Is(err, bdd.ErrTooLarge) {
		return nil, nil
	} else if err != nil {
		return nil, err
	}
	fair(r)
	d := &stutterDecision{automaton: b, fair: r, work: stutterWork}
	d.repetitions = stutterGame{spoiler: r, duplicator: r, moves: r.Out, repeats: true}
	d.removals = stutterGame{spoiler: r, duplicator: r, moves: shortcuts(r, stutterShortcuts)}
	if d.removals.moves == nil {
		return nil, ctx.Err()
	}
	for _, g := range []*stutterGame{&d.repetitions, &d.removals} {
		g.solve(ctx, stutterGameWork)
	}
	return d, ctx.Err()
}

// shown reports whether the games show that the language of these states together is
// stutter-invariant; false means unknown.
func (d *stutterDecision) shown(from []automata.State) bool {
	return d.repetitions.wonFrom(from, from) && d.removals.wonFrom(from, from)
}

// of decides on the language of these states together.
func (d *stutterDecision) of(ctx context.Context, from []automata.State) (stutterAnswer, error) {
	if d.shown(from) {
		return stutterInvariant, nil
	}
	if d.work <= 0 {
		return stutterUnknown, nil
	}
	complement, err := complement.NewComplementation(ctx, d.automaton.From(from), stutterComplement)
	if err != nil {
		return stutterUnknown, ctx.Err() // too large
	}
	buchi, err := marked.ReducibleOver(d.fair.Functions, complement.Buchi())
	if err != nil {
		return stutterUnknown, ctx.Err()
	}
	fair(buchi)
	letters, values := d.letters(buchi)
	games := [2]stutterGame{d.removals, d.repetitions}
	for i := range games {
		games[i].duplicator = buchi
		games[i].solve(ctx, stutterGameWork)
	}
	return d.search(ctx, from, games, letters, newComputedRejection(complement, values, &d.work))
}

// by decides on the language of the initial states with an automaton for the complement,
// which has generalized Büchi acceptance and the same propositions.
func (d *stutterDecision) by(ctx context.Context, complement *automata.Automaton) (stutterAnswer, error) {
	if !complement.Acceptance.IsGeneralizedBuchi() || complement.Acceptance.Sets > 64 ||
		!slices.Equal(complement.Propositions, d.automaton.Propositions) {
		return stutterUnknown, nil
	}
	r, err := marked.ReducibleOver(d.fair.Functions, complement)
	if err != nil {
		return stutterUnknown, ctx.Err()
	}
	fair(r)
	letters, _ := d.letters(r)
	rejected := givenRejection{over(r, letters), r.Initial}
	return d.search(ctx, d.automaton.Initial(), [2]stutterGame{d.removals, d.repetitions}, letters, rejected)
}

// letters returns those of the automaton and another one, with a valuation of each; none
// where there are too many.
func (d *stutterDecision) letters(other *marked.Reducible) (letters []bdd.Function, values []automata.Valuation) {
	letters = lettersOf(d.fair, stutterLetters, other)
	for _, l := range letters {
		values = append(values, d.fair.SomeValuation(l))
	}
	return letters, values
}

// search decides on the language of these states by looking for a word that it lacks.
func (d *stutterDecision) search(ctx context.Context, from []automata.State, games [2]stutterGame, letters []bdd.Function, rejected rejectedWords) (stutterAnswer, error) {
	if letters == nil || d.fair.Sets+rejected.sets() > 64 {
		return stutterUnknown, ctx.Err()
	}
	for i := range games {
		answer := newStutterSearch(&games[i], rejected, letters, &d.work).run(ctx, from)
		switch {
		case ctx.Err() != nil || d.fair.Functions.Err() != nil:
			return stutterUnknown, ctx.Err()
		case answer != stutterInvariant:
			return answer, nil
		}
	}
	return stutterInvariant, nil
}

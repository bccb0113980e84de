package product

import (
	"context"
	"errors"
	"fmt"
	"time"

	"pnmc/automata"
	"pnmc/automata/bdd"
	"pnmc/automata/complement"
	"pnmc/automata/reduce"
	"pnmc/automata/stutter"
	"pnmc/automata/testingautomata"
	"pnmc/checker/product/internal/states"
	"pnmc/checker/product/internal/stuttering"
	"pnmc/checker/properties"
	"pnmc/checker/witness"
	"pnmc/internal/account"
	"pnmc/internal/suggest"
	"pnmc/petri"
)

// Approach is the kind of automaton by which a property is checked.
type Approach uint8

// The approaches.
const (
	// Auto chooses the one that is probably best for the property.
	Auto Approach = iota
	// ByTGBA uses the automaton as it is.
	ByTGBA
	// ByBA degeneralizes it.
	ByBA
	// ByTA makes a testing automaton with Büchi and livelock acceptance, for
	// stutter-invariant properties.
	ByTA
	// ByTGTA makes a transition-based generalized testing automaton.
	ByTGTA
	// BySymbolicTGBA and BySymbolicTGTA are products with sets of markings as
	// decision diagrams, which package diagram checks.
	BySymbolicTGBA
	BySymbolicTGTA
	// BySelfLoops is one of self-loop aggregation, with sets of markings as decision
	// diagrams beside an explicit automaton, which package diagram checks, too.
	BySelfLoops
)

var approachNames = suggest.Names[Approach]{"auto", "tgba", "ba", "ta", "tgta", "sym-tgba", "sym-tgta", "sym-slap"}

// Symbolic reports whether the approach has sets of markings as decision diagrams. Package diagram
// checks by it, and CheckBy by the others.
func (a Approach) Symbolic() bool { return a >= BySymbolicTGBA }

// String returns auto, tgba, ba, ta, tgta, sym-tgba, sym-tgta or sym-slap.
func (a Approach) String() string { return approachNames.Of(a) }

// ApproachNames returns the names of all approaches.
func ApproachNames() []string { return approachNames.All() }

// ParseApproach returns the approach of a name, as String writes it.
func ParseApproach(name string) (Approach, error) { return approachNames.Parse(name) }

// Settings say how a property is checked.
type Settings struct {
	Approach Approach
	// Distrust: do not believe the automaton's claim that it is stutter-invariant, but find out.
	Distrust bool
	// Built: make the whole testing automaton before the product, and reduce it. Otherwise only
	// those of its states are made that the product asks for.
	Built bool
	// Stubborn: leave out firings that the property cannot tell from others. This is done if the
	// language of a plain automaton is closed under stuttering, which is found out whatever the
	// automaton claims. Nothing of the state graph may be explored yet, and it serves this
	// property only. For other languages it stands for Guided.
	Stubborn bool
	// Guided: where the automaton waits for something, leave out firings that do not bring it nearer. This
	// is done for plain automata without Fin as they are, and plain nets. Several threads don't.
	Guided bool
	// Threads, unless nil, are the threads that search products. Stubborn sets are for one thread only.
	Threads *Threads
	// Progress, unless nil, is called now and then with the statistics so far.
	Progress func(properties.Statistics)
	// Clock returns the time since some moment, for Measure. A nil Clock stands for one that is
	// monotonic: it does not jump when the time of day is set.
	Clock func() time.Duration
}

// clock returns the clock that durations are measured with.
func (s Settings) clock() func() time.Duration {
	if s.Clock != nil {
		return s.Clock
	}
	start := time.Now() // with a monotonic reading, which Since uses
	return func() time.Duration { return time.Since(start) }
}

// CheckBy checks as Check does, by one of several kinds of automata. Approaches other than TGBA
// need generalized Büchi acceptance with at most 64 sets; if the property's automaton has another
// condition, complement.WithGeneralizedBuchi makes a second automaton of it. The counterexample is
// one for the property's own automaton, or for that second one. An *UnsupportedError says that the
// approach does not apply to the property, or that the automaton's claim was believed and is false.
func CheckBy(ctx context.Context, k *petri.Kripke, property properties.Property, s Settings) (properties.Result, error) {
	a := property.Automaton
	if len(property.Predicates) != len(a.Propositions) {
		return properties.Result{}, fmt.Errorf("%d predicates for %d propositions", len(property.Predicates), len(a.Propositions))
	}
	if s.Approach.Symbolic() {
		return properties.Result{}, &UnsupportedError{Reason: fmt.Sprintf("approach %v is one of decision diagrams", s.Approach)}
	}
	if a.Kind != automata.Plain {
		if s.Approach != Auto && s.Approach.String() != a.Kind.String() {
			return properties.Result{}, &UnsupportedError{Reason: fmt.Sprintf("the automaton is a %v, and is checked as such only", a.Kind)}
		}
		return checkTesting(ctx, k, property, s, nil)
	}
	approach := s.Approach
	if approach == Auto {
		approach = automatic
	}
	preparing, prepared := account.Within(ctx, k.Account().Budget())
	defer prepared(nil)
	if s.Stubborn && stutters(preparing, a) && LeaveOut(ctx, k, property) {
		s.Threads = nil
	}
	s.Guided = s.Guided || s.Stubborn
	if approach != ByTGBA {
		b, err := complement.WithGeneralizedBuchi(preparing, a)
		if err != nil {
			return unable(preparing, err)
		}
		a, property.Automaton = b, b
	}
	switch approach {
	case ByTGBA:
		return checkPlain(ctx, k, property, s)
	case ByBA:
		return checkDegeneralized(ctx, k, property, s)
	}
	reader, err := prepareTesting(preparing, a, approach, s)
	if err != nil {
		return unable(preparing, err)
	}
	return checkTesting(ctx, k, property, s, reader)
}

// automatic is the approach that Auto takes. docs/experiments.md has an experiment on testing
// automata: for 98% of the formulas, this approach explored at most twice the transitions of the
// best one. Another experiment took 25 formulas of two kinds each for the contest models
// FMS-PT-00005, Peterson-PT-3 and MAPK-PT-00008, on the fly. TGTA explored 17% fewer transitions in
// all than TGBA. But it took 1.4 times the processor time and 2.3 times the memory, since each of
// its steps costs more.
const automatic = ByTGBA

// unable returns the result where the automaton could not be made. If that is because of a limit, the
// question stays open and there is no error.
func unable(ctx context.Context, err error) (properties.Result, error) {
	switch {
	case errors.Is(err, testingautomata.ErrNotStutterInvariant):
		return properties.Result{}, &UnsupportedError{Reason: err.Error() + ": testing automata need that; tgta and tgba don't"}
	case errors.Is(err, ErrFalseClaim):
		return properties.Result{}, &UnsupportedError{Reason: err.Error()}
	case ctx.Err() != nil:
		var r properties.Result
		r.GiveUp(context.Cause(ctx))
		return r, nil
	case errors.Is(err, testingautomata.ErrTooLarge) || errors.Is(err, bdd.ErrTooLarge) ||
		errors.Is(err, complement.ErrConditionTooLarge) || errors.Is(err, complement.ErrBuchiTooLarge) ||
		errors.Is(err, testingautomata.ErrStutterUnknown) || errors.Is(err, reduce.ErrTooManySets):
		return properties.Result{Reason: err.Error()}, nil
	}
	return properties.Result{}, err
}

// prepareTesting returns a reader of a testing automaton: of the whole one, or of one that is made
// on the fly.
func prepareTesting(ctx context.Context, a *automata.Automaton, approach Approach, s Settings) (stuttering.Reader, error) {
	kind := automata.TGTA
	if approach == ByTA {
		kind = automata.TA
	}
	pruned, v, err := PrepareTesting(ctx, a, s.Distrust)
	if err != nil {
		return nil, err
	}
	if !s.Built {
		return testingautomata.NewOnTheFly(ctx, kind, pruned, v)
	}
	var t *automata.Automaton
	if kind == automata.TA {
		t, err = testingautomata.NewTA(ctx, pruned, v)
	} else {
		t, err = testingautomata.NewTGTA(ctx, pruned, v)
	}
	if err != nil {
		return nil, err
	}
	return stuttering.NewBuilt(ctx, t)
}

// ErrFalseClaim says that an automaton claims to be stutter-invariant, and is not.
var ErrFalseClaim = errors.New("the automaton claims to be stutter-invariant, and is not: without the claim, or with --distrust, it is checked as it is")

// PrepareTesting returns what testing automata are made of: the part of a plain automaton that
// matters, and what is known of stuttering in it. The automaton's claim that it is
// stutter-invariant is believed, unless distrust is set. If little effort shows the claim to be
// false, the error is ErrFalseClaim.
func PrepareTesting(ctx context.Context, a *automata.Automaton, distrust bool) (*automata.Automaton, stutter.Invariance, error) {
	generalized, err := complement.WithGeneralizedBuchi(ctx, a)
	if err != nil {
		return nil, stutter.Invariance{}, err
	}
	pruned, err := reduce.Prune(ctx, generalized)
	if err != nil {
		return nil, stutter.Invariance{}, err
	}
	pruned.Name, pruned.Claims = a.Name, a.Claims
	v, err := invariance(ctx, pruned, distrust)
	return pruned, v, err
}

// Believed reports whether a's claim that it is stutter-invariant is relied upon.
func Believed(a *automata.Automaton, distrust bool) bool {
	return !distrust && a.Kind == automata.Plain && a.Claims&automata.ClaimStutterInvariant != 0
}

// invariance finds out which states have languages closed under stuttering, and whether the whole
// automaton has one. It does not ask the latter if a claim is believed.
func invariance(ctx context.Context, a *automata.Automaton, distrust bool) (stutter.Invariance, error) {
	if !Believed(a, distrust) {
		return stutter.DecideInvariance(ctx, a)
	}
	v, err := stutter.DecideStatesInvariance(ctx, a)
	if err == nil && v.Refuted {
		err = ErrFalseClaim
	}
	return v, err
}

// checkTesting checks by a testing automaton: by reader, or if that is nil by the property's own.
func checkTesting(ctx context.Context, k *petri.Kripke, property properties.Property, s Settings, reader stuttering.Reader) (properties.Result, error) {
	if reader == nil {
		built, err := stuttering.NewBuilt(ctx, property.Automaton)
		if err != nil {
			return properties.Result{}, err
		}
		reader = built
	}
	k.Begin(ctx)
	x, err := stuttering.New(k, property, reader)
	if err != nil {
		return properties.Result{}, err
	}
	return check(ctx, x, property, s)
}

// confirmed replays the counterexample of a result. Only if that succeeds is the verdict Violated.
// If a limit ends the replay, the verdict is Unknown; if the run is wrong, that is an error. The
// replay has the time of telling.
func confirmed(ctx context.Context, k *petri.Kripke, property properties.Property, result properties.Result, err error) (properties.Result, error) {
	result.Verdict = properties.Unknown
	if err != nil {
		result.Counterexample = nil
		if isLimit(ctx, err) {
			result.GiveUp(err)
			return result, nil
		}
		return result, err
	}
	telling, cancel := tellingTime(ctx)
	defer cancel()
	work := account.New(k.Account().Budget())
	work.Tell(telling)
	if err := witness.ReplayWithin(work, k.Net(), property.Automaton, property.Predicates, result.Counterexample); err != nil {
		if isLimit(ctx, err) {
			result.Counterexample = nil
			result.GiveUp(err)
			return result, nil
		}
		return result, fmt.Errorf("a counterexample does not replay: %w", err)
	}
	result.Verdict = properties.Violated
	return result, nil
}

// check searches the product of a testing automaton, and turns what it finds into a counterexample to
// property.
func check(ctx context.Context, x *stuttering.Search, property properties.Property, s Settings) (properties.Result, error) {
	k := x.Kripke
	x.Progress = s.Progress
	k.FollowGrowth(largestConstant(property.Predicates))
	if s.Threads.several() && x.Shareable() {
		x.Only(s.Threads.First)
	}
	found, err := x.Find()
	if err == states.ErrMore {
		if k.Unbounded() == nil {
			graph := s.Threads.graph(k)
			together := &testingTogether{stuttering.NewTogether(graph, x, s.Threads.knobs.yield), graph, x, property, s.Distrust}
			if result, ok, err := s.Threads.check(ctx, k, together, property); ok || err != nil {
				return result, err
			}
		}
		x = x.Again()
		k.Begin(ctx)
		found, err = x.Find()
	}
	result := properties.Result{Statistics: x.Statistics()}
	switch {
	case err == nil && found != nil:
		result.Counterexample, err = told(ctx, x, property, s.Distrust, found)
		if errors.As(err, new(*UnsupportedError)) {
			return result, err
		}
		return confirmed(ctx, k, property, result, err)
	case err != nil && !isLimit(ctx, err):
		return result, err
	case err != nil:
		result.GiveUp(err)
	default:
		return concluded(ctx, k, property, result)
	}
	return result, nil
}

// told turns what the search found into a counterexample.
func told(ctx context.Context, x *stuttering.Search, property properties.Property, distrust bool, found *stuttering.Finding) (*witness.Counterexample, error) {
	telling, cancel := tellingTime(ctx)
	defer cancel()
	k := x.Kripke
	x.Account.Tell(telling)
	l, err := x.Lasso(found)
	if err != nil {
		return nil, err
	}
	run, err := fired(k.Net(), k.Account(), k.Firing, func(s petri.StateID) automata.Valuation { return x.Labelling.Label(x.Labelling.Of(s)) }, l)
	if err != nil {
		return nil, err
	}
	return explained(telling, k, property, distrust, run)
}

// explained returns a run that the search has found as a counterexample to property.
func explained(ctx context.Context, k *petri.Kripke, property properties.Property, distrust bool, run FiredRun) (*witness.Counterexample, error) {
	c, err := Explain(ctx, k.Account(), property.Automaton, run)
	if errors.Is(err, ErrNotAccepted) && Believed(property.Automaton, distrust) {
		// The run is one up to stuttering only.
		err = &UnsupportedError{Reason: ErrFalseClaim.Error()}
	}
	return c, err
}

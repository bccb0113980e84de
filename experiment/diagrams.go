package experiment

import (
	"context"
	"errors"
	"math/big"
	"runtime"
	"strconv"
	"time"

	"pnmc/checker/diagram"
	"pnmc/checker/product"
	"pnmc/internal/lazy"
	"pnmc/symbolic"
)

// SymbolicPlan says what to measure of products on decision diagrams: the
// experiment of section 4 of "Symbolic Model Checking of Stutter-Invariant
// Properties Using Generalized Testing Automata" (Ben Salem, Duret-Lutz, Kordon,
// Thierry-Mieg, 2014).
type SymbolicPlan struct {
	Model string
	// Space are the reachable states, computed once for all checks, and Encoding what
	// its variables stand for.
	Space      *symbolic.StateSpace
	Encoding   symbolic.Encoding
	Properties []Property
	// Settings are the ways to check, by the name that records have.
	Settings []NamedSettings
	// Limit is the time that a check may take; 0 is any.
	Limit time.Duration
	// Clock returns the processor time that the process has used.
	Clock func() time.Duration
	// Done are the checks to leave out.
	Done map[Key]bool
	// Begin, unless nil, is called before each check.
	Begin func(Key)
	// MayBegin, unless nil, reports whether there is time for another check.
	MayBegin func() bool
}

// Planned returns the number of checks that the plan asks for, those that are done included.
func (p *SymbolicPlan) Planned() int { return len(p.Properties) * len(p.Settings) }

// Keys returns those of all checks that the plan asks for.
func (p *SymbolicPlan) Keys() (keys []Key) {
	for _, property := range p.Properties {
		for _, s := range p.Settings {
			keys = append(keys, Key{p.Model, property.Set, s.Name, property.Line})
		}
	}
	return keys
}

// NamedSettings are settings with a name for tables.
type NamedSettings struct {
	Name string
	diagram.Settings
}

// SymbolicRecord is what one check cost.
type SymbolicRecord struct {
	Model, Set      string
	Line            int
	Formula         string
	Approach        string // name of settings
	Verdict, Reason string
	AutomatonStates int
	// ProductStates is that number in decimal, or empty.
	ProductStates     string
	Rounds, PeakNodes int
	DiagramBytes      int64
	// Stuttering is the part of the model's firings that change no proposition of
	// the formula, or -1 if it is not known.
	Stuttering float64
	// Seconds is processor time: automaton, relations and emptiness check.
	Seconds float64
	Conditions
}

// Key returns that of the measurement.
func (r SymbolicRecord) Key() Key { return Key{r.Model, r.Set, r.Approach, r.Line} }

// Run measures each property in each way, one after the other, and gives
// the records to emit. It returns the first error of a check or of emit, or that
// of ctx.
func (p *SymbolicPlan) Run(ctx context.Context, emit func(SymbolicRecord) error) error {
	firings, err := p.firings(ctx)
	if err != nil {
		return err
	}
	for _, property := range p.Properties {
		var stuttering float64
		for i, s := range p.Settings {
			key := Key{p.Model, property.Set, s.Name, property.Line}
			if p.Done[key] {
				continue
			}
			if p.MayBegin != nil && !p.MayBegin() {
				return nil
			}
			if p.Begin != nil {
				p.Begin(key)
			}
			if i == 0 || stuttering == 0 {
				if stuttering, err = p.stuttering(ctx, property, firings); err != nil {
					return err
				}
			}
			r, err := p.measure(ctx, property, s)
			if ctx.Err() != nil {
				return context.Cause(ctx)
			}
			if err != nil {
				return err
			}
			r.Stuttering = stuttering
			if err := emit(r); err != nil {
				return err
			}
		}
	}
	return nil
}

// firings returns how many the model has, or nil if counting them takes longer than a job may, or
// too much memory. An error is that of ctx.
func (p *SymbolicPlan) firings(ctx context.Context) (*big.Float, error) {
	n, err := p.within(ctx, p.Space.Firings)
	if n == nil || err != nil {
		return nil, err
	}
	return new(big.Float).SetInt(n), nil
}

// within counts within the limits of a job and of diagrams: nil if they do not allow it. An error
// is that of ctx.
func (p *SymbolicPlan) within(ctx context.Context, count func(context.Context) (*big.Int, error)) (*big.Int, error) {
	limited := ctx
	if p.Limit > 0 {
		var cancel context.CancelFunc
		limited, cancel = context.WithTimeoutCause(ctx, p.Limit, errTimeLimit)
		defer cancel()
	}
	n, err := count(limited)
	switch {
	case ctx.Err() != nil:
		return nil, context.Cause(ctx)
	case diagram.IsLimit(limited, err):
		return nil, nil
	}
	return n, err
}

// stuttering returns the part of the firings that change no proposition of the property, from 0 to
// 1. It returns -1 if that takes longer than a job may, too much memory, or predicates that are too
// large for diagrams. It is the measure by which the paper of 2014 explains when testing automata
// pay: what stutters is a loop in them. An error is that of ctx.
func (p *SymbolicPlan) stuttering(ctx context.Context, property Property, firings *big.Float) (float64, error) {
	if firings == nil {
		return -1, nil
	}
	n, err := p.within(ctx, func(ctx context.Context) (*big.Int, error) {
		return p.Space.StutteringFirings(ctx, property.Predicates)
	})
	switch {
	case n == nil && err == nil:
		return -1, nil
	case err != nil:
		return 0, err
	case firings.Sign() == 0:
		return 0, nil
	}
	part, _ := new(big.Float).Quo(new(big.Float).SetInt(n), firings).Float64()
	return part, nil
}

// measure checks a property once by decision diagrams, and returns its row of the table. Seconds
// are those of the check alone, after a collection of garbage. A property that the engine cannot
// check gives a row without verdict, not an error.
func (p *SymbolicPlan) measure(ctx context.Context, property Property, s NamedSettings) (SymbolicRecord, error) {
	r := SymbolicRecord{Model: p.Model, Set: property.Set, Line: property.Line, Formula: property.Name, Approach: s.Name, Conditions: p.conditions(property, s)}
	if p.Limit > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeoutCause(ctx, p.Limit, errTimeLimit)
		defer cancel()
	}
	runtime.GC() // what earlier checks left is not this one's
	s.VerdictOnly = true
	began := p.Clock()
	result, err := diagram.Check(ctx, p.Space, nil, property.Property, s.Settings)
	r.Seconds = (p.Clock() - began).Seconds()
	var unsupported *product.UnsupportedError
	if errors.As(err, &unsupported) {
		result.Reason, err = err.Error(), nil
	}
	r.Verdict, r.Reason, r.AutomatonStates = result.Verdict.String(), result.Reason, result.AutomatonStates
	r.Rounds, r.PeakNodes, r.DiagramBytes = result.Rounds, result.PeakNodes, result.DiagramBytes
	if result.ProductStates != nil {
		r.ProductStates = result.ProductStates.String()
	}
	return r, err
}

var symbolicColumns = lazy.Value[[]string]{Make: func() []string {
	return append([]string{
		"model", "set", "line", "formula", "approach", "verdict", "reason", "automaton_states", "product_states",
		"rounds", "peak_nodes", "diagram_bytes", "stuttering", "seconds",
	}, conditionColumns.Get()...)
}}

func (SymbolicRecord) columns() []string { return symbolicColumns.Get() }

// fields returns the row of the table, in the order of symbolicColumns.
func (r SymbolicRecord) fields() []string {
	return append([]string{
		r.Model, r.Set, strconv.Itoa(r.Line), r.Formula, r.Approach, r.Verdict, r.Reason, strconv.Itoa(r.AutomatonStates),
		r.ProductStates, strconv.Itoa(r.Rounds), strconv.Itoa(r.PeakNodes), strconv.FormatInt(r.DiagramBytes, 10),
		strconv.FormatFloat(r.Stuttering, 'f', 4, 64), strconv.FormatFloat(r.Seconds, 'f', 6, 64),
	}, r.Conditions.fields()...)
}

// parse reads a row of a table of decision diagrams, whose fields are as many as the columns.
func (SymbolicRecord) parse(fields []string) (SymbolicRecord, error) {
	f := row{columns: symbolicColumns.Get(), fields: fields}
	r := SymbolicRecord{
		Model: fields[0], Set: fields[1], Line: int(f.whole(2)), Formula: fields[3], Approach: fields[4], Verdict: fields[5],
		Reason: fields[6], AutomatonStates: int(f.whole(7)), ProductStates: fields[8], Rounds: int(f.whole(9)), PeakNodes: int(f.whole(10)),
		DiagramBytes: f.whole(11), Stuttering: f.number(12), Seconds: f.number(13),
	}
	if f.failure != nil {
		return r, f.failure
	}
	var err error
	r.Conditions, err = parseConditions(fields[14:])
	return r, err
}

package experiment

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"pnmc/checker/product"
	"pnmc/checker/properties"
	"pnmc/internal/lazy"
)

// Record is what the check of one property by one approach cost.
type Record struct {
	Model string
	// Set names the file of properties.
	Set     string
	Formula string
	// Line counts the properties of a file from 1.
	Line     int
	Approach string
	Verdict  string
	// Reason says why the verdict is unknown.
	Reason          string
	AutomatonStates int
	// AutomatonTransitions may be more than fit a whole number: with n propositions
	// there are 2^n valuations.
	AutomatonTransitions                float64
	FullStates, FullTransitions         int64 // -1: not known
	ExploredStates, ExploredTransitions int64
	Seconds                             float64
	Conditions
}

// Key identifies a measurement: a model, a file of properties, an approach, a line of
// the file.
type Key struct {
	Model, Set, Approach string
	Line                 int
}

// Key returns the key of the measurement in r.
func (r Record) Key() Key { return Key{r.Model, r.Set, r.Approach, r.Line} }

// verified and violated are the verdicts that the tables keep apart.
const verified, violated = "holds", "violated"

// Crashed begins the reason of a measurement whose process ended before it did.
const Crashed = "internal error"

var columns = lazy.Value[[]string]{Make: func() []string {
	return append([]string{
		"model", "set", "line", "formula", "approach", "verdict", "reason", "automaton_states", "automaton_transitions",
		"full_states", "full_transitions", "explored_states", "explored_transitions", "seconds",
	}, conditionColumns.Get()...)
}}

// decided reports whether the record has a verdict.
func (r Record) decided() bool { return r.Verdict == verified || r.Verdict == violated }

// refused reports whether it was not a limit that kept the approach from a verdict.
func (r Record) refused() bool {
	return !r.decided() && r.Reason != errTimeLimit.Error() && !isMemory(r.Reason) && !strings.HasPrefix(r.Reason, Crashed)
}

func (Record) columns() []string { return columns.Get() }

// fields returns the row of the table, in the order of columns.
func (r Record) fields() []string {
	whole := func(n int64) string { return strconv.FormatInt(n, 10) }
	return append([]string{
		r.Model, r.Set, strconv.Itoa(r.Line), r.Formula, r.Approach, r.Verdict, r.Reason, strconv.Itoa(r.AutomatonStates),
		count(r.AutomatonTransitions), whole(r.FullStates), whole(r.FullTransitions), whole(r.ExploredStates),
		whole(r.ExploredTransitions), strconv.FormatFloat(r.Seconds, 'f', 3, 64),
	}, r.Conditions.fields()...)
}

// wholeDigits is from when on counts have a decimal exponent.
const wholeDigits = 1e15

// count writes a number that may be too large to be written out.
func count(n float64) string {
	if n < wholeDigits {
		return strconv.FormatFloat(n, 'f', -1, 64)
	}
	return strconv.FormatFloat(n, 'e', -1, 64)
}

// parse reads a row of a table, whose fields are as many as the columns: numbers must be
// numbers, and the verdict one of the three.
func (Record) parse(fields []string) (Record, error) {
	r := Record{Model: fields[0], Set: fields[1], Formula: fields[3], Approach: fields[4], Verdict: fields[5], Reason: fields[6]}
	f := row{columns: columns.Get(), fields: fields}
	r.Line, r.AutomatonStates, r.AutomatonTransitions = int(f.whole(2)), int(f.whole(7)), f.number(8)
	r.FullStates, r.FullTransitions, r.ExploredStates, r.ExploredTransitions = f.whole(9), f.whole(10), f.whole(11), f.whole(12)
	r.Seconds = f.number(13)
	if unknown := properties.Unknown.String(); f.failure == nil && !r.decided() && r.Verdict != unknown {
		f.failure = fmt.Errorf("verdict: %q is none of %s, %s and %s", r.Verdict, verified, violated, unknown)
	}
	if f.failure != nil {
		return r, f.failure
	}
	var err error
	r.Conditions, err = parseConditions(fields[14:])
	return r, err
}

// record returns the Record of a measurement.
func (p *Plan) record(of Property, approach product.Approach, m product.Measurement) Record {
	return Record{
		Model: p.Model, Set: of.Set, Formula: of.Name, Line: of.Line, Approach: approach.String(), Verdict: m.Verdict.String(), Reason: m.Reason,
		AutomatonStates: m.AutomatonStates, AutomatonTransitions: m.AutomatonTransitions,
		FullStates: m.FullStates, FullTransitions: m.FullTransitions,
		ExploredStates: m.Explored.ExploredStates, ExploredTransitions: m.Explored.ExploredTransitions,
		Seconds:    m.Duration.Round(time.Millisecond).Seconds(),
		Conditions: p.conditions(of, approach),
	}
}

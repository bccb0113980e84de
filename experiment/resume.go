package experiment

import (
	"errors"
	"fmt"
	"strings"
)

// errTimeLimit is why a check ended whose time was over.
var errTimeLimit = errors.New("time limit reached")

// Resumption is what measurements that are there mean for a plan.
type Resumption struct {
	// Done are those that the plan need not make.
	Done map[Key]bool
	// Again is the number of those that are made once more: a limit ended them that is
	// larger now, or they lack the whole product that is asked for now.
	Again int
	// Untold is the number of those that are done, but do not tell how testing
	// automata were made: they are from an earlier version.
	Untold int
}

// Resume finds out which measurements of the plan the records have; with retry, only
// those with a verdict count. An error says that records are of another net or another
// property, or of testing automata made in another way. Those of the plan would not fit
// with them.
//
// A verdict does not depend on limits, so a measurement with one is done. A measurement that a
// limit ended is done only as long as that limit is no larger now. After a limit of 30 seconds, it
// is made again with 60 seconds, but not with 30. One that ended for another reason would end so
// again.
func (p *Plan) Resume(records []Record, retry bool) (Resumption, error) {
	wanted := map[Key]wish{}
	for _, property := range p.Properties {
		for _, a := range p.Approaches {
			c := p.conditions(property, a)
			// The choice of auto is not known, as it has no whole product to explore.
			wanted[Key{p.Model, property.Set, a.String(), property.Line}] = wish{property.Name, c, p.Full && a.String() != "auto"}
		}
	}
	var list []measured
	for _, r := range records {
		lacking := r.Verdict == violated && r.FullStates < 0
		list = append(list, measured{r.Key(), r.Formula, r.Reason, r.decided(), lacking, r.Conditions})
	}
	return resume(wanted, list, retry)
}

// Resume finds out what is left to measure, as Plan.Resume does.
func (p *SymbolicPlan) Resume(records []SymbolicRecord, retry bool) (Resumption, error) {
	wanted := map[Key]wish{}
	for _, property := range p.Properties {
		for _, s := range p.Settings {
			wanted[Key{p.Model, property.Set, s.Name, property.Line}] = wish{property.Name, p.conditions(property, s), false}
		}
	}
	var list []measured
	for _, r := range records {
		list = append(list, measured{r.Key(), r.Formula, r.Reason, r.decided(), false, r.Conditions})
	}
	return resume(wanted, list, retry)
}

// wish is a measurement that a plan asks for.
type wish struct {
	formula string
	Conditions
	full bool // also the whole product
}

// measured is a record, in whichever columns.
type measured struct {
	Key
	formula, reason  string
	decided, lacking bool // lacking: without the whole product
	Conditions
}

// resume finds which of the wanted measurements the records have. It refuses records that would
// make the table wrong: other settings within the same file and approach, another formula in the
// same line, or another net or automaton. Retry wants those again that ended without a verdict.
func resume(wanted map[Key]wish, records []measured, retry bool) (Resumption, error) {
	result := Resumption{Done: map[Key]bool{}}
	kinds := map[Key]string{} // of a whole file and approach: their averages go together
	for key, w := range wanted {
		key.Line = 0
		kinds[key] = w.kind()
	}
	met := map[Key]bool{}
	for _, r := range records {
		group := r.Key
		group.Line = 0
		if kind, ok := kinds[group]; ok && r.Settings != "" && r.kind() != kind {
			return result, fmt.Errorf("%s was measured by %s with the settings %s, which now are %s: expected the same flags, or another file", r.Set, r.Approach, r.kind(), kind)
		}
		w, ok := wanted[r.Key]
		if !ok {
			continue
		}
		if r.formula != w.formula {
			return result, fmt.Errorf("line %d of %s was measured for %q, and now is %q: expected the same formulas, or another file", r.Line, r.Set, r.formula, w.formula)
		}
		if r.Input != "" && w.Input != "" && r.Input != w.Input {
			return result, fmt.Errorf("line %d of %s, %q, was measured for another net or automaton, or propositions of other meaning: expected the same input, or another file", r.Line, r.Set, r.formula)
		}
		met[r.Key] = true
		if !result.Done[r.Key] && r.satisfies(w, retry) {
			result.Done[r.Key] = true
			if r.Settings == "" && w.kind() != "" {
				result.Untold++
			}
		}
	}
	result.Again = len(met) - len(result.Done)
	return result, nil
}

// satisfies reports whether measuring once more would find nothing new.
func (r measured) satisfies(w wish, retry bool) bool {
	moreTime, moreMemory := isLarger(w.TimeLimit, r.TimeLimit), isLarger(float64(w.MemoryLimit), float64(r.MemoryLimit))
	switch {
	case r.decided && w.full && r.lacking:
		limited := r.TimeLimit > 0 && moreTime || r.MemoryLimit > 0 && moreMemory
		return r.has(wordFull) && !limited
	case r.decided:
		return true
	case retry:
		return false
	case r.reason == errTimeLimit.Error():
		return !moreTime
	case isMemory(r.reason):
		return !moreMemory
	}
	return true
}

// isMemory reports whether a check ended for want of memory.
func isMemory(reason string) bool { return strings.Contains(reason, "memory") }

// isLarger reports whether the limit now is larger than the limit then; 0 is no limit, and larger
// than any. A limit that was reached was one, even if its record says 0, as those of earlier versions
// do: so only no limit is larger than that.
func isLarger(now, then float64) bool { return now == 0 || then > 0 && now > then }

// latest keeps one record for each measurement, in the place of its first: the last with a verdict
// or, without one, the last.
func latest[R interface {
	Key() Key
	decided() bool
}](records []R) []R {
	var list []R
	at := map[Key]int{}
	for _, r := range records {
		i, known := at[r.Key()]
		switch {
		case !known:
			at[r.Key()] = len(list)
			list = append(list, r)
		case r.decided() || !list[i].decided():
			list[i] = r
		}
	}
	return list
}

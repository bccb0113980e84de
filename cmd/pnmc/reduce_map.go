package main

import (
	"errors"
	"fmt"
	"io"
	"iter"
	"strconv"

	"github.com/urfave/cli/v2"

	"pnmc/cmd/pnmc/internal/exit"
	"pnmc/cmd/pnmc/internal/limits"
	"pnmc/cmd/pnmc/internal/output"
	"pnmc/internal/jsontext"
	"pnmc/petri"
	"pnmc/petri/reduce"
)

// wayBack says which runs of the net the runs of its reduced net stand for. It is written as an object
// with these keys:
//
//	for          the class of questions
//	places       those that are kept, by identifier
//	removed      those that are not
//	prefix       transitions that are fired before anything else
//	transitions  of the reduced net, in its order: objects with an id, and the sequence of
//	             transitions that is fired in its place
//	counts       how markings are counted, if that is the class (writeCounts)
//
// For example, a map with the prefix t0, and the sequence t1 t2 for the transition a, says that
// the run a a of the reduced net stands for t0 t1 t2 t1 t2. A run to a deadlock of the net reduced for
// deadlocks may lead to where the net can still fire what ends by itself: from there, firing by chance
// whatever changes something leads to a deadlock of the net.
type wayBack struct {
	net       *petri.Net
	reduction *reduce.Reduction
	class     string
}

// longestMap bounds the transitions that a map names.
const longestMap = 10_000_000

// errLongMap means that a map is too long to be written: sequences may double at each step.
var errLongMap = errors.New("the map would name more than 10000000 transitions: without --map the net is written")

// begunMap writes the map within the limits, and returns the file, for the caller to keep or discard;
// nil for standard output, where a map is there whole or not at all.
func begunMap(c *cli.Context, path string, m *wayBack) (*output.File, error) {
	if m.isLong() {
		return nil, exit.With(exit.Unknown, errLongMap)
	}
	if path != "-" {
		return begunOutput(c, path, m.writeJSON)
	}
	err := limits.WholeText(c.Context, c.App.Writer, m.writeJSON)
	if reason, leftOut := limits.IsLeftOut(err); leftOut {
		err = exit.With(exit.Unknown, fmt.Errorf("the map is not written: %w", reason))
	}
	return nil, err
}

// isLong reports whether the map would name more than longestMap transitions.
//
// The lengths of sequences are computed before any is written down. Each step of the reduction
// may put one transition behind another, and a sequence that is put behind itself again and again
// has 2^40 transitions after 40 steps, although its length is a number of a few digits.
func (m *wayBack) isLong() bool {
	r := m.reduction
	total := r.PrefixLength()
	for t := range petri.Transition(r.Net.Transitions()) {
		if total > longestMap || r.SequenceLength(t) > longestMap {
			return true
		}
		total += r.SequenceLength(t)
	}
	return total > longestMap
}

// writeJSON writes the map name by name, on a line. Long names that are there once in the net may stand
// millions of times in the map: its text is not held, and ends with the first error of w.
func (m *wayBack) writeJSON(w io.Writer) error {
	j := jsontext.New(w, true)
	r := m.reduction
	j.Raw(`{"for":`)
	j.String(m.class)
	j.Raw(`,"places":`)
	writeNames(j, m.places(true))
	j.Raw(`,"removed":`)
	writeNames(j, m.places(false))
	j.Raw(`,"prefix":`)
	writeNames(j, m.ids(r.EachOfPrefix()))
	j.Raw(`,"transitions":[`)
	for t := range petri.Transition(r.Net.Transitions()) {
		if t > 0 {
			j.Raw(",")
		}
		j.Raw(`{"id":`)
		j.String(r.Net.TransitionLabel(t).ID)
		j.Raw(`,"sequence":`)
		writeNames(j, m.ids(r.EachOf(t)))
		j.Raw("}")
		if j.Err() != nil {
			break
		}
	}
	j.Raw("]")
	m.writeCounts(j)
	j.Raw("}\n")
	return j.Flush()
}

// places goes through the identifiers of the places that are kept, or of those that are not.
func (m *wayBack) places(kept bool) iter.Seq[string] {
	return func(yield func(string) bool) {
		for p, q := range m.reduction.PlaceOf {
			if (q >= 0) == kept && !yield(m.net.PlaceLabel(petri.Place(p)).ID) {
				return
			}
		}
	}
}

// ids goes through the identifiers of transitions of the net.
func (m *wayBack) ids(run iter.Seq[petri.Transition]) iter.Seq[string] {
	return func(yield func(string) bool) {
		for t := range run {
			if !yield(m.net.TransitionLabel(t).ID) {
				return
			}
		}
	}
}

// writeNames writes an array of strings.
func writeNames(j *jsontext.Writer, names iter.Seq[string]) {
	between := "["
	for name := range names {
		j.Raw(between)
		j.String(name)
		if between = ","; j.Err() != nil {
			return
		}
	}
	if between == "[" {
		j.Raw("[")
	}
	j.Raw("]")
}

// writeCounts writes how markings of the net are counted on its reduced net, where the class asks for that
// and the net has no special arcs:
//
//	groups     places of the reduced net that have the tokens of several places: objects with the id, and
//	           these places, which share out the tokens in any way
//	equations  places that are in no group and not in the reduced net: objects with the place, and the
//	           constant and the terms, places whose tokens it has together
//	dead       transitions of the net that never fire
//
// With n tokens in a place that has those of k places, a marking counts binomial(n+k-1, k-1) times, and
// for several such places as often as the product of these. A transition that is not dead fires where it has
// what it needs of the places that are in groups or in the reduced net.
func (m *wayBack) writeCounts(j *jsontext.Writer) {
	counts := m.reduction.Counts()
	if counts == nil {
		return
	}
	j.Raw(`,"counts":{"groups":[`)
	between := ""
	for p, group := range counts.Groups {
		if len(group) == 1 {
			continue
		}
		j.Raw(between + `{"id":`)
		j.String(m.reduction.Net.PlaceLabel(petri.Place(p)).ID)
		j.Raw(`,"places":`)
		writeNames(j, m.names(group))
		j.Raw("}")
		if between = ","; j.Err() != nil {
			return
		}
	}
	j.Raw(`],"equations":[`)
	between = ""
	for _, e := range counts.Equations {
		j.Raw(between + `{"place":`)
		j.String(m.net.PlaceLabel(e.Place).ID)
		j.Raw(`,"constant":` + strconv.FormatInt(e.Constant, 10) + `,"terms":`)
		writeNames(j, m.names(e.Terms))
		j.Raw("}")
		if between = ","; j.Err() != nil {
			return
		}
	}
	j.Raw(`],"dead":`)
	writeNames(j, m.ids(func(yield func(petri.Transition) bool) {
		for t := range petri.Transition(m.net.Transitions()) {
			if _, fires := counts.Needs(t); !fires && !yield(t) {
				return
			}
		}
	}))
	j.Raw("}")
}

// names goes through the identifiers of places of the net.
func (m *wayBack) names(places []petri.Place) iter.Seq[string] {
	return func(yield func(string) bool) {
		for _, p := range places {
			if !yield(m.net.PlaceLabel(p).ID) {
				return
			}
		}
	}
}

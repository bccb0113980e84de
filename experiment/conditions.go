package experiment

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"pnmc/checker/product"
	"pnmc/internal/lazy"
	"pnmc/internal/process"
)

// Conditions are what a measurement depends on, beside its key. All are empty in
// files of earlier versions.
type Conditions struct {
	// Settings are words. On-the-fly, built and distrust tell how testing automata are
	// made; full and graph-first what else was asked for.
	Settings string
	// TimeLimit is the time, in seconds, that the check had, 0 for any, and
	// MemoryLimit the memory in bytes.
	TimeLimit   float64
	MemoryLimit int64
	// Input is a fingerprint of the net and the property.
	Input string
	// Host and Processor are the computer and the model of its processor: seconds of different
	// ones are not the same measure.
	Host, Processor string
}

// machineColumns are the last ones, which files of an earlier version lack.
var machineColumns = []string{"host", "processor"}

var conditionColumns = lazy.Value[[]string]{Make: func() []string {
	return append([]string{"settings", "time_limit", "memory_limit", "input"}, machineColumns...)
}}

// The words of Settings.
const (
	wordOnTheFly   = "on-the-fly"
	wordBuilt      = "built"
	wordDistrust   = "distrust"
	wordFull       = "full"
	wordGraphFirst = "graph-first"
)

// testingWords returns, in words, how testing automata are made.
func testingWords(built, distrust bool) []string {
	words := []string{wordOnTheFly}
	if built {
		words[0] = wordBuilt
	}
	if distrust {
		words = append(words, wordDistrust)
	}
	return words
}

// has reports whether a word is among the settings.
func (c Conditions) has(word string) bool { return slices.Contains(strings.Fields(c.Settings), word) }

// kind returns the settings without those that only change times or add figures.
//
// For example, "built distrust full" is of the kind "built distrust": whether the whole product
// was explored as well says nothing about the automaton, and rows with and without belong into
// one table.
func (c Conditions) kind() string {
	return strings.Join(slices.DeleteFunc(strings.Fields(c.Settings), func(word string) bool {
		return word == wordFull || word == wordGraphFirst
	}), " ")
}

// fields returns the fields of conditionColumns, in that order.
func (c Conditions) fields() []string {
	return []string{c.Settings, strconv.FormatFloat(c.TimeLimit, 'f', -1, 64), strconv.FormatInt(c.MemoryLimit, 10), c.Input, c.Host, c.Processor}
}

// parseConditions reads the fields of conditionColumns. In a file of an earlier version
// some are empty.
func parseConditions(fields []string) (Conditions, error) {
	c := Conditions{Settings: fields[0], Input: fields[3], Host: fields[4], Processor: fields[5]}
	var err error
	if fields[1] != "" {
		if c.TimeLimit, err = strconv.ParseFloat(fields[1], 64); err != nil {
			return c, fmt.Errorf("%s: %q is no number", conditionColumns.Get()[1], fields[1])
		}
	}
	if fields[2] != "" {
		if c.MemoryLimit, err = strconv.ParseInt(fields[2], 10, 64); err != nil {
			return c, fmt.Errorf("%s: %q is no whole number", conditionColumns.Get()[2], fields[2])
		}
	}
	return c, nil
}

// conditions returns those under which the plan measures a property by an approach.
func (p *Plan) conditions(property Property, approach product.Approach) Conditions {
	var words []string
	if approach != product.ByBA && approach != product.ByTGBA {
		words = testingWords(p.Settings.Built, p.Settings.Distrust)
	}
	if p.Full {
		words = append(words, wordFull)
	}
	if p.GraphFirst {
		words = append(words, wordGraphFirst)
	}
	return conditionsHere(words, p.Limit.Seconds(), p.Budget.MemoryBytes, property)
}

// conditions returns those under which the plan measures a property with settings.
func (p *SymbolicPlan) conditions(property Property, s NamedSettings) Conditions {
	words := append(testingWords(s.Built, s.Distrust),
		"state-variable="+strings.ReplaceAll(s.StateVariable.String(), " ", "-"), "encoding="+p.Encoding.String())
	return conditionsHere(words, p.Limit.Seconds(), s.Memory, property)
}

// conditionsHere returns conditions on this computer.
func conditionsHere(words []string, seconds float64, memory int64, property Property) Conditions {
	c := Conditions{Settings: strings.Join(words, " "), TimeLimit: seconds, MemoryLimit: memory, Input: property.Fingerprint}
	c.Host, c.Processor = process.Machine()
	return c
}

package experiment

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"pnmc/checker/product"
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
}

var conditionColumns = []string{"settings", "time_limit", "memory_limit", "input"}

// The words of Settings.
const (
	wordOnTheFly   = "on-the-fly"
	wordBuilt      = "built"
	wordDistrust   = "distrust"
	wordFull       = "full"
	wordGraphFirst = "graph-first"
)

// testingWords tell how testing automata are made.
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

// kind is the settings without what changes no figure but times, or adds some.
func (c Conditions) kind() string {
	return strings.Join(slices.DeleteFunc(strings.Fields(c.Settings), func(word string) bool {
		return word == wordFull || word == wordGraphFirst
	}), " ")
}

func (c Conditions) fields() []string {
	return []string{c.Settings, strconv.FormatFloat(c.TimeLimit, 'f', -1, 64), strconv.FormatInt(c.MemoryLimit, 10), c.Input}
}

// parseConditions reads the fields of conditionColumns, of which those of an earlier
// version are empty.
func parseConditions(fields []string) (Conditions, error) {
	c := Conditions{Settings: fields[0], Input: fields[3]}
	var err error
	if fields[1] != "" {
		if c.TimeLimit, err = strconv.ParseFloat(fields[1], 64); err != nil {
			return c, fmt.Errorf("%s: %q is no number", conditionColumns[1], fields[1])
		}
	}
	if fields[2] != "" {
		if c.MemoryLimit, err = strconv.ParseInt(fields[2], 10, 64); err != nil {
			return c, fmt.Errorf("%s: %q is no whole number", conditionColumns[2], fields[2])
		}
	}
	return c, nil
}

// conditions are those under which the plan measures a property by an approach.
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
	return Conditions{strings.Join(words, " "), p.Limit.Seconds(), p.Budget.MemoryBytes, property.Fingerprint}
}

// conditions are those under which the plan measures a property with settings.
func (p *SymbolicPlan) conditions(property Property, s NamedSettings) Conditions {
	words := append(testingWords(s.Built, s.Distrust),
		"state-variable="+strings.ReplaceAll(s.StateVariable.String(), " ", "-"), "encoding="+p.Encoding.String())
	return Conditions{strings.Join(words, " "), p.Limit.Seconds(), s.Memory, property.Fingerprint}
}

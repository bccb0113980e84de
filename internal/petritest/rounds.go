package petritest

import (
	"flag"
	"testing"

	"pgregory.net/rapid"
)

// mostRounds bounds CheckUntil: a case that three of four rounds leave out is missed by
// all with a chance of 10^-12.
const mostRounds = 100

// fewDraws is how many draws CheckMany makes with -short.
const fewDraws = 100

// CheckUntil checks a property in rounds of random draws until all cases have been
// seen that the test is about, for one round may leave some out by chance. It reports false if
// the last round has still not seen them. A test that compares answers, for example, counts how
// many were true and how many false, and goes on until there were both: a test that only ever saw
// one of them would pass with an engine that always says the same.
func CheckUntil(t *testing.T, seen func() bool, property func(*rapid.T)) bool {
	t.Helper()
	return CheckManyUntil(t, 0, seen, property)
}

// CheckMany checks a property of at least so many random draws: of 100 with -short, and of more where
// -rapid.checks asks for more. Draws that the property skips do not count.
func CheckMany(t *testing.T, draws int, property func(*rapid.T)) {
	t.Helper()
	CheckManyUntil(t, draws, func() bool { return true }, property)
}

// CheckManyUntil checks a property as CheckMany does, and goes on until all cases have been seen, as
// CheckUntil does.
func CheckManyUntil(t *testing.T, draws int, seen func() bool, property func(*rapid.T)) bool {
	t.Helper()
	if testing.Short() {
		draws = min(draws, fewDraws)
	}
	each := roundDraws()
	for range mostRounds + (draws+each-1)/each {
		rapid.Check(t, property)
		if draws -= each; draws <= 0 && seen() {
			return true
		}
	}
	return false
}

// roundDraws returns how many draws rapid.Check makes: as many as its flag says, or a fifth with -short.
func roundDraws() int {
	draws := flag.Lookup("rapid.checks").Value.(flag.Getter).Get().(int)
	if testing.Short() {
		draws /= 5
	}
	return max(1, draws)
}

package petritest

import (
	"testing"

	"pgregory.net/rapid"
)

// mostRounds bounds CheckUntil: a case that three of four rounds leave out is missed by
// all with a chance of 10^-12.
const mostRounds = 100

// CheckUntil checks a property in rounds of random draws until all cases have been
// seen that the test is about, for one round may leave some out by chance. It reports false if
// the last round has still not seen them. A test that compares answers, for example, counts how
// many were true and how many false, and goes on until there were both: a test that only ever saw
// one of them would pass with an engine that always says the same.
func CheckUntil(t *testing.T, seen func() bool, property func(*rapid.T)) bool {
	t.Helper()
	for range mostRounds {
		if rapid.Check(t, property); seen() {
			return true
		}
	}
	return false
}

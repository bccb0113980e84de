package hoa

import (
	"strings"
	"testing"

	"pnmc/automata"
)

// TestSpecification has what the format says of texts that were judged by it: each case quotes
// the sentence. Where what is meant is clear, it is taken with a warning, and a strict reader
// refuses it; where it is not, or the grammar has no such text, it is refused.
func TestSpecification(t *testing.T) {
	const head = "HOA: v1\nStart: 0\nAP: 1 \"a\"\nAcceptance: 1 Inf(0)\n" // lines 1 to 4
	const warned, refused = "warned", "refused"
	for _, c := range []struct{ sentence, text, verdict, message string }{
		{"States should be numbered from 0 to n-1, may be listed in any order, but should all be listed: a state that is used has no meaning without its edges",
			head + "States: 2 --BODY-- State: 0 [t] 1 --END--", refused,
			"5:35: the body ends without a definition of state 1, which is an initial state or where an edge leads"},
		{"if the header has States: 10 then the body should have ten State: INT statements: one that nothing leads to changes no word",
			head + "States: 2 --BODY-- State: 0 [t] 0 --END--", warned,
			"5:35: 2 states of which only 1 are defined, expected all; the others have no edges"},
		{"States should be numbered from 0 to n-1 (where n is the value given by the States: header item if present): gaps",
			head + "--BODY-- State: 0 [t] 5 State: 5 [0] 0 --END--", warned,
			"5:40: 6 states of which only 2 are defined, expected all; the others have no edges"},
		{"properties: IDENTIFIER*, and t or f are not valid identifiers",
			head + "properties: t f --BODY-- State: 0 --END--", refused,
			"5:13: property t, expected an identifier, which the Booleans t and f are not\n5:15: property f, expected an identifier, which the Booleans t and f are not"},
		{"HEADERNAME (BOOLEAN|INT|STRING|IDENTIFIER)*: no aliases, but a HEADERNAME whose initial is lowercase may be safely ignored",
			head + "tool-data: t 1 \"x\" y @z --BODY-- State: 0 --END--", warned,
			"5:22: @z in the unknown header tool-data:, expected Booleans, integers, strings and identifiers; the header is ignored"},
		{"header items whose name start with an upper-case letter are expected to influence the semantic of the automaton",
			head + "Tool-data: 1 --BODY-- State: 0 --END--", refused,
			"5:1: unknown header Tool-data:, whose capital letter says that it must not be ignored"},
		{"HOA: should always be the first token of the file, and whitespace is [ \\t\\n\\r]: a byte order mark is neither",
			"\xef\xbb\xbf" + head + "--BODY-- State: 0 --END--", warned,
			"1:1: a byte order mark, which is not of the format: HOA: should be the first token"},
		{"The number of double-quoted strings must match exactly the number given, and should all be different",
			"HOA: v1 Start: 0 AP: 2 \"a\" \"a\" Acceptance: 0 t --BODY-- State: 0 [0&1] 0 --END--", warned,
			"1:28: proposition \"a\" occurs twice; both are taken as one"},
		{"Multiple initial states can be specified by using several Start: headers with a different state number",
			head + "Start: 0 --BODY-- State: 0 --END--", warned,
			"5:1: initial state 0 is given twice, expected a different one"},
		{"Any given HEADERNAME should occur at most once, except for Start:, Alias:, and properties:: which of two is meant is not clear",
			head + "AP: 1 \"b\" --BODY-- State: 0 --END--", refused,
			"5:1: a second header AP:, the first one being at 3:1"},
		{"weak hints that in each strongly connected component all transitions belong to the same accepting sets",
			head + "properties: weak --BODY-- State: 0 [0] 0 {0} [!0] 0 --END--", warned,
			"5:13: property weak is false of the automaton that ends at 5:53"},
		{"terminal hints that the automaton is weak, and that each SCC containing an accepting cycle is complete",
			head + "properties: terminal --BODY-- State: 0 [0] 0 {0} --END--", warned,
			"5:13: property terminal is false of the automaton that ends at 5:50"},
		{"unambiguous hints that for each word there is at most one accepting run of the automaton",
			head + "properties: unambiguous --BODY-- State: 0 [0] 1 [t] 0 {0} State: 1 [t] 1 {0} --END--", warned,
			"5:13: property unambiguous is false of the automaton that ends at 5:78"},
		{"deterministic hints that the outgoing transitions of each state have disjoint labels",
			head + "properties: deterministic --BODY-- State: 0 [0] 0 [t] 0 --END--", warned,
			"5:13: property deterministic is false of the automaton that ends at 5:57"},
		{"This information should be redundant in the sense that ignoring them should not impact the behavior of the automaton",
			head + "properties: stutter-invariant !stutter-invariant --BODY-- State: 0 --END--", warned,
			"5:31: property !stutter-invariant contradicts stutter-invariant at 5:13"},
	} {
		lenient := NewReader(strings.NewReader(c.text), "")
		a, err := lenient.Read()
		strict := NewReader(strings.NewReader(c.text), "")
		strict.BeStrict()
		_, strictly := strict.Read()
		if strictly == nil || strictly.Error() != c.message {
			t.Errorf("%s:\n%s\nstrictly %v, want %s", c.sentence, c.text, strictly, c.message)
		}
		switch {
		case c.verdict == refused && (err == nil || err.Error() != c.message):
			t.Errorf("%s:\n%s\n%v, want %s", c.sentence, c.text, err, c.message)
		case c.verdict == warned && (err != nil || len(lenient.Warnings()) != 1 || !strings.HasPrefix(lenient.Warnings()[0].Error(), c.message)):
			t.Errorf("%s:\n%s\n%v, warnings %v, want %s", c.sentence, c.text, err, lenient.Warnings(), c.message)
		case c.verdict == warned && a.Claims != 0:
			t.Errorf("%s:\n%s\nclaims %v are left", c.sentence, c.text, a.Claims)
		}
	}
}

// TestFalseHintsOfForm: hints that the form of the body contradicts are dropped, and what the body
// says counts.
func TestFalseHintsOfForm(t *testing.T) {
	r := NewReader(strings.NewReader("HOA: v1 Start: 0 AP: 1 \"a\" Acceptance: 1 Inf(0) properties: state-acc explicit-labels deterministic --BODY-- State: 0 0 0 {0} --END--"), "")
	a, err := r.Read()
	if err != nil || len(r.Warnings()) != 2 || a.Claims != automata.ClaimDeterministic {
		t.Fatal(err, r.Warnings(), a)
	}
	for i, want := range []string{
		"1:71: property explicit-labels is ignored: the labels of a state's edges are implicit at 1:119",
		"1:61: property state-acc is ignored: an edge has acceptance sets of its own at 1:123",
	} {
		if got := r.Warnings()[i].Error(); got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
}

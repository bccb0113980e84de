package hoa

import (
	"fmt"
	"io"
	"regexp"
	"strings"
	"testing"

	"pnmc/automata"
)

// ofForm is what a strict reader says of a property that the form of the body contradicts.
var ofForm = regexp.MustCompile(`^(\S+): (.*), despite property (\S+) at (\S+)$`)

// TestSpecification has what the format says of texts that were judged by it: each case quotes
// the sentence. Where what is meant is clear, it is taken with a warning, and a strict reader
// refuses it; where it is not, or the grammar has no such text, it is refused.
func TestSpecification(t *testing.T) {
	const head = "HOA: v1\nStart: 0\nAP: 1 \"a\"\nAcceptance: 1 Inf(0)\n" // lines 1 to 4
	const warned, refused, taken = "warned", "refused", "taken"
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
		{"HEADERNAME (BOOLEAN|INT|STRING|IDENTIFIER)*: no symbols, but a HEADERNAME whose initial is lowercase may be safely ignored",
			head + "tool-data: ( --BODY-- State: 0 --END--", warned,
			"5:12: ( in the unknown header tool-data:, expected Booleans, integers, strings and identifiers; the header is ignored"},
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
		{"complete hints that the automaton is complete, i.e., it has at least one state, and the transition function is total",
			head + "properties: complete --BODY-- State: 0 [0] 0 --END--", warned, "5:13: property complete is false of the automaton that ends at 5:46"},
		{"inherently-weak hints that the automaton does not mix accepting cycles and non-accepting cycles in the same SCC",
			head + "properties: inherently-weak --BODY-- State: 0 [0] 0 {0} [!0] 0 --END--", warned, "5:13: property inherently-weak is false of the automaton that ends at 5:64"},
		{"very-weak hints that the automaton is weak and every SCC has exactly one state",
			head + "properties: very-weak --BODY-- State: 0 [t] 1 State: 1 [t] 0 --END--", warned, "5:13: property very-weak is false of the automaton that ends at 5:62"},
		{"colored hints that each transition (or each state, for state-based acceptance) of the automaton belongs to exactly one acceptance set",
			head + "properties: colored --BODY-- State: 0 [t] 0 --END--", warned, "5:39: an edge is not in exactly one acceptance set, despite property colored at 5:13"},
		{"state-labels hints that the automaton uses only state labels",
			head + "properties: state-labels --BODY-- State: 0 [t] 0 --END--", warned, "5:44: an edge has a label, despite property state-labels at 5:13"},
		{"trans-labels hints that the automaton uses only transition labels",
			head + "properties: trans-labels --BODY-- State: [t] 0 0 --END--", warned, "5:42: a state has a label, despite property trans-labels at 5:13"},
		{"implicit-labels hints that the automaton uses only implicit transitions labels",
			head + "properties: implicit-labels --BODY-- State: 0 [t] 0 --END--", warned, "5:47: an edge has a label, despite property implicit-labels at 5:13"},
		{"explicit-labels hints that the automaton uses only explicit transitions labels",
			head + "properties: explicit-labels --BODY-- State: 0 0 0 --END--", warned, "5:47: the labels of a state's edges are implicit, despite property explicit-labels at 5:13"},
		{"state-acc hints that the automaton uses only state-based acceptance specifications",
			head + "properties: state-acc --BODY-- State: 0 [t] 0 {0} --END--", warned, "5:47: an edge has acceptance sets of its own, despite property state-acc at 5:13"},
		{"trans-acc hints that the automaton uses only transition-based acceptance specifications",
			head + "properties: trans-acc --BODY-- State: 0 {0} [t] 0 --END--", warned, "5:41: a state has acceptance sets, despite property trans-acc at 5:13"},
		{"univ-branch hints that the automaton uses universal branching for at least one transition or for the initial state",
			head + "properties: univ-branch --BODY-- State: 0 [t] 0 --END--", warned, "5:13: property univ-branch is of automata with universal branching, which are not supported"},
		{"no-univ-branch hints that the automaton does not uses universal branching",
			head + "properties: no-univ-branch --BODY-- State: 0 [t] 0 --END--", taken, ""},
		{"state-conj: INT | state-conj & INT: universal branching is not supported",
			head + "--BODY-- State: 0 [t] 0&0 --END--", refused, "5:24: universal branching is not supported: an edge to a conjunction of states"},
		{"Start: state-conj: universal branching is not supported",
			"HOA: v1 Start: 0&1 AP: 0 Acceptance: 0 t --BODY-- State: 0 State: 1 --END--", refused, "1:9: universal branching is not supported: a conjunction of initial states"},
		{"Alphabet: of version 1.1 has letters, where version 1 has propositions",
			"HOA: v1 Start: 0 Alphabet: 1 \"a\" Acceptance: 0 t --BODY-- State: 0 --END--", refused, "1:18: alphabets are not supported: header Alphabet: of version 1.1, expected AP:, as labels are over propositions"},
		{"stutter-invariant hints that the automaton describes a stutter-invariant property: it is believed",
			head + "properties: stutter-invariant --BODY-- State: 0 [0] 0 {0} --END--", taken, ""},
		{"The following properties have specified meanings, but additional may be added, and tools may simply ignore those they do not know",
			head + "properties: of-my-own --BODY-- State: 0 [0] 0 --END--", taken, ""},
	} {
		lenient := NewReader(strings.NewReader(c.text), "")
		a, err := lenient.Read()
		strict := NewReader(strings.NewReader(c.text), "")
		strict.BeStrict()
		_, strictly := strict.Read()
		if c.verdict != taken && (strictly == nil || strictly.Error() != c.message) {
			t.Errorf("%s:\n%s\nstrictly %v, want %s", c.sentence, c.text, strictly, c.message)
		}
		switch {
		case c.verdict == taken && (strictly != nil || err != nil || len(lenient.Warnings()) > 0):
			t.Errorf("%s:\n%s\n%v, strictly %v, warnings %v, want none", c.sentence, c.text, err, strictly, lenient.Warnings())
		case c.verdict == refused && (err == nil || err.Error() != c.message):
			t.Errorf("%s:\n%s\n%v, want %s", c.sentence, c.text, err, c.message)
		case c.verdict == warned && (err != nil || len(lenient.Warnings()) != 1 || !strings.HasPrefix(lenient.Warnings()[0].Error(), ofForm.ReplaceAllString(c.message, "$4: property $3 is ignored: $2 at $1"))):
			t.Errorf("%s:\n%s\n%v, warnings %v, want %s", c.sentence, c.text, err, lenient.Warnings(), c.message)
		case c.verdict == warned && a.Claims != 0:
			t.Errorf("%s:\n%s\nclaims %v are left", c.sentence, c.text, a.Claims)
		}
	}
}

// TestFilesPutTogether reads files that editors wrote, each with a byte order mark, one behind the
// other; a mark anywhere else is none.
func TestFilesPutTogether(t *testing.T) {
	const mark, automaton = "\xef\xbb\xbf", "HOA: v1 Start: 0 AP: 0 Acceptance: 0 t --BODY-- State: 0 [t] 0 --END--"
	for text, want := range map[string]string{
		mark + automaton + "\n" + mark + automaton:               "2 automata, 1:1 2:1",
		mark + automaton + mark + automaton + "\n\n" + mark:      "2 automata, 1:1 1:74",
		automaton + "\n" + automaton + "\n" + mark + automaton:   "3 automata, 3:1",
		automaton + " --ABORT--\n" + mark + automaton:            "2 automata, 2:1",
		automaton + "\n" + mark + mark + automaton:               "1 automata, garbage",
		automaton + "\n" + mark + "garbage\n" + mark + automaton: "1 automata, garbage",
		mark + "HOA: v1\n" + mark + "Start: 0" + automaton[7:]:   "0 automata, garbage",
		automaton[:len(automaton)-7] + "\n" + mark + "--END--\n": "0 automata, garbage",
	} {
		r, read, marks := NewReader(strings.NewReader(text), ""), 0, ""
		for {
			_, err := r.Read()
			if err == io.EOF {
				break
			}
			if err != nil && !strings.Contains(err.Error(), "abort") {
				marks = " garbage"
				break
			}
			if err == nil {
				read++
			}
			for _, w := range r.Warnings() {
				marks += " " + strings.Join(strings.SplitN(w.Error(), ":", 3)[:2], ":")
			}
		}
		if got := fmt.Sprintf("%d automata,%s", read, marks); got != want {
			t.Errorf("%q: %s, want %s", text, got, want)
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

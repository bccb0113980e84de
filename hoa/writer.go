package hoa

import (
	"bufio"
	"context"
	"errors"
	"io"
	"slices"
	"strconv"
	"strings"

	"pnmc/automata"
	"pnmc/internal/account"
)

// Options say how an automaton is written; the zero value is what Spot's tools
// do.
type Options struct {
	// OneLine puts the automaton on one line.
	OneLine bool
	// MarksOnEdges always writes acceptance sets on edges. Otherwise an automaton whose
	// states have the same ones on all their edges has them on its states.
	MarksOnEdges bool
}

// propertiesWidth is where a line of properties is broken.
const propertiesWidth = 70

// Write writes an automaton in version 1 of the format. Reading the text gives the same
// automaton, with two exceptions. Edges that are never taken are left out, and so are
// claims that are false, or would cost too much to check. Testing automata get a header
// of their own, which other tools refuse. Without it they would read another language
// into the automaton.
//
// Where the context ends, or the memory that it carries, the text ends with --ABORT--, which the
// format has for that: readers drop the automaton and go on with the next one. The error is the
// reason.
//
// For example, an automaton of GFa, with what it claims to be:
//
//	HOA: v1
//	name: "GFa"
//	States: 1
//	Start: 0
//	AP: 1 "a"
//	acc-name: Buchi
//	Acceptance: 1 Inf(0)
//	properties: trans-labels explicit-labels trans-acc complete deterministic
//	--BODY--
//	State: 0
//	[0] 0 {0}
//	[!0] 0
//	--END--
func Write(ctx context.Context, w io.Writer, a *automata.Automaton, options Options) error {
	t := text{Writer: bufio.NewWriter(w), a: a, line: "\n", work: account.Meter{Account: account.Of(ctx)}}
	if options.OneLine {
		t.line = " "
	}
	t.onStates = !options.MarksOnEdges && t.hasStateMarks()
	colored := t.isColored()
	claimed := claimedWords(ctx, t.work.Account, a)
	if t.work.Asked(0); t.work.End != nil {
		return t.work.End // nothing is written
	}
	t.header(colored, claimed)
	for s := range automata.State(a.States()) {
		if t.state(s); t.work.End != nil {
			t.WriteString("--ABORT--\n")
			return errors.Join(t.work.End, t.Flush())
		}
	}
	t.WriteString("--END--\n")
	return t.Flush()
}

// text writes one automaton; an error stays in the bufio.Writer.
type text struct {
	*bufio.Writer
	a        *automata.Automaton
	line     string // what ends a line
	onStates bool
	digits   []byte
	work     account.Meter // at its end what is written is cut
}

// int writes a number without allocating a string for it.
func (t *text) int(n int) {
	t.digits = strconv.AppendInt(t.digits[:0], int64(n), 10)
	t.Write(t.digits)
}

// strings writes texts one after the other.
func (t *text) strings(s ...string) {
	for _, s := range s {
		t.WriteString(s)
	}
}

// header writes all lines before the states. Names of conditions are only claimed if the
// condition is, as it is written, what the format says of that name.
func (t *text) header(colored bool, claimed []string) {
	a := t.a
	t.strings("HOA: v1", t.line)
	if a.Name != "" {
		t.strings("name: ", quote(a.Name), t.line)
	}
	t.strings("States: ", strconv.Itoa(a.States()), t.line)
	for _, s := range a.Initial() {
		t.strings("Start: ", strconv.Itoa(int(s)), t.line)
	}
	t.strings("AP: ", strconv.Itoa(len(a.Propositions)))
	for _, p := range a.Propositions {
		t.strings(" ", quote(p))
	}
	t.WriteString(t.line)
	if name := fittingName(a.Acceptance); name != "" {
		t.strings("acc-name: ", name, t.line)
	}
	t.strings("Acceptance: ", strconv.Itoa(a.Acceptance.Sets), " ", a.Acceptance.Condition.String(), t.line)
	t.properties(colored, claimed)
	switch a.Kind {
	case automata.TGTA:
		t.strings(testingHeader, " tgta", t.line)
	case automata.TA:
		t.strings(testingHeader, " ta", t.line)
	}
	t.strings("--BODY--", t.line)
}

// fittingName returns the name of an acceptance condition if it fits, or another one
// that does, or empty.
func fittingName(a automata.Acceptance) string {
	if words := strings.Fields(a.Name); len(words) > 0 {
		if fits, _ := isNamed(a, words[0], words[1:]); fits {
			return a.Name
		}
	}
	return acceptanceName(a)
}

// properties writes those of the text and those claimed, several lines of them
// if need be.
func (t *text) properties(colored bool, claimed []string) {
	words := []string{"trans-labels", "explicit-labels", "trans-acc"}
	if t.onStates {
		words[2] = "state-acc"
	}
	if colored {
		words = append(words, "colored")
	}
	words = append(words, claimed...)
	width := 0
	for i, w := range words {
		switch {
		case i == 0:
			t.WriteString("properties:")
			width = len("properties:")
		case width+1+len(w) > propertiesWidth && t.line == "\n":
			t.strings(t.line, "properties:")
			width = len("properties:")
		}
		t.strings(" ", w)
		width += 1 + len(w)
	}
	t.WriteString(t.line)
}

// claimOrder is the order in which claims are written.
var claimOrder = []string{"complete", "deterministic", "semi-deterministic", "unambiguous",
	"stutter-invariant", "terminal", "very-weak", "weak", "inherently-weak"}

// claimedWords returns the claims that a reader can't refute: those that are found
// true of the automaton, and that it is stutter-invariant. Finding out has bounds of its own.
func claimedWords(ctx context.Context, work *account.Account, a *automata.Automaton) (words []string) {
	holds := map[string]bool{"stutter-invariant": a.Kind == automata.Plain}
	t := &structure{ctx: ctx, a: a}
	for _, m := range measures {
		if a.Claims&claims.Get()[m.property] != 0 && work.Look() == nil {
			holds[m.property], _ = m.holds(t)
		}
	}
	for _, w := range claimOrder {
		if a.Claims&claims.Get()[w] != 0 && holds[w] {
			words = append(words, w)
		}
	}
	return words
}

// cubeWork is about what it takes to write a cube and where its edge goes, in bytes or
// nanoseconds, beside a few for each proposition.
const cubeWork = 64

// state writes a state with its edges, unless there is no time for them.
func (t *text) state(s automata.State) {
	if !t.work.Asked(account.StateWork) {
		return
	}
	a := t.a
	t.WriteString("State: ")
	t.int(int(s))
	if a.StateNames != nil && a.StateNames[s] != "" {
		t.strings(" ", quote(a.StateNames[s]))
	}
	first, end := a.Out(s)
	if t.onStates && first < end {
		t.marks(a.Marks(first))
	}
	t.WriteString(t.line)
	for e := first; e < end; e++ {
		if a.Cubes(e) == 0 {
			continue
		}
		t.WriteString("[")
		for i := range a.Cubes(e) {
			if !t.work.Asked(account.EdgeWork + cubeWork + len(a.Propositions)) {
				t.WriteString(t.line) // of a label that is cut
				return
			}
			if i > 0 {
				t.WriteString(" | ")
			}
			t.cube(a.Cube(e, i))
		}
		t.WriteString("] ")
		t.int(int(a.Destination(e)))
		if !t.onStates {
			t.marks(a.Marks(e))
		}
		t.WriteString(t.line)
	}
}

// cube writes a conjunction of literals.
func (t *text) cube(c automata.Cube) {
	n := 0
	for p := range t.a.Propositions {
		occurs, positive := c.Literal(p)
		if !occurs {
			continue
		}
		if n++; n > 1 {
			t.WriteByte('&')
		}
		if !positive {
			t.WriteByte('!')
		}
		t.int(p)
	}
	if n == 0 {
		t.WriteByte('t')
	}
}

// marks writes a set of acceptance sets, unless it is empty.
func (t *text) marks(m automata.Marks) {
	if m.Count() == 0 {
		return
	}
	separator := " {"
	for i := range t.a.Acceptance.Sets {
		if m.Has(i) {
			t.WriteString(separator)
			t.int(i)
			separator = " "
		}
	}
	t.WriteString("}")
}

// hasStateMarks reports whether all edges of each state have the same marks.
func (t *text) hasStateMarks() bool {
	a := t.a
	for s := range automata.State(a.States()) {
		first, end := a.Out(s)
		if !t.work.Asked(account.EdgeWork * int(1+end-first)) {
			return false
		}
		for e := first; e < end; e++ {
			if !slices.Equal(a.Marks(e), a.Marks(first)) {
				return false
			}
		}
	}
	return true
}

// isColored reports whether every edge is in exactly one acceptance set.
func (t *text) isColored() bool {
	for e := range automata.Edge(t.a.Edges()) {
		if t.a.Marks(e).Count() != 1 || !t.work.Asked(account.EdgeWork) {
			return false
		}
	}
	return t.a.Edges() > 0
}

// quote returns s as a string literal.
func quote(s string) string {
	q := make([]byte, 0, len(s)+2)
	q = append(q, '"')
	for i := range len(s) {
		if s[i] == '"' || s[i] == '\\' {
			q = append(q, '\\')
		}
		q = append(q, s[i])
	}
	return string(append(q, '"'))
}

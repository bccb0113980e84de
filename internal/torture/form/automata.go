package form

import (
	"bytes"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Automata checks automata in HOA as pnmc writes them, and returns how many are whole and
// how many are told to be cut by --ABORT--.
//
// All states are there, in their order; each header, state and edge begins a line, unless the
// automaton is on one line. So a line that lost its end is found by what it lacks: an edge its
// state, a header its value, or the next line its beginning.
//
// For example, "[0&!1] " and then "State: 1" lacks the number of a state, and
// "[0] 1[!0] 2" is two edges on a line.
func Automata(text []byte) (whole, aborted int, err error) {
	r := &reader{text: text}
	for {
		r.space()
		if r.at == len(r.text) {
			return whole, aborted, Ended(text)
		}
		problem := r.automaton()
		if problem == nil {
			whole++
			continue
		}
		// A limit cuts an automaton anywhere between two cubes.
		rest := r.text[r.at:]
		abort, end := bytes.Index(rest, []byte(abortMark)), bytes.Index(rest, []byte("--END--"))
		if abort < 0 || end >= 0 && end < abort {
			return whole, aborted, fmt.Errorf("automaton %d, at byte %d, %q: %w", whole+aborted+1, r.at, r.text[r.at:min(len(r.text), r.at+40)], problem)
		}
		r.at += abort + len(abortMark)
		aborted++
	}
}

const abortMark = "--ABORT--\n"

// reader reads automata.
type reader struct {
	text []byte
	at   int
}

// space passes over white space.
func (r *reader) space() {
	for r.at < len(r.text) && (r.text[r.at] == ' ' || r.text[r.at] == '\n') {
		r.at++
	}
}

// word takes what comes up to white space or a bracket; brackets are words of their own.
func (r *reader) word() string {
	r.space()
	start := r.at
	for r.at < len(r.text) {
		c := r.text[r.at]
		if c == ' ' || c == '\n' {
			break
		}
		if strings.IndexByte("[]{}", c) >= 0 {
			if r.at == start {
				r.at++
			}
			break
		}
		r.at++
	}
	return string(r.text[start:r.at])
}

// peek reports whether this comes next, after white space.
func (r *reader) peek(what string) bool {
	r.space()
	return bytes.HasPrefix(r.text[r.at:], []byte(what))
}

// begins reports whether this comes next, and takes it. It must begin a line, or
// follow a space if the automaton is on one line.
func (r *reader) begins(what string, separator byte) (bool, error) {
	if !r.peek(what) {
		return false, nil
	}
	if r.at > 0 && r.text[r.at-1] != separator {
		return false, fmt.Errorf("%s begins in the middle of a line", what)
	}
	r.at += len(what)
	return true, nil
}

func (r *reader) number() (int, error) {
	w := r.word()
	n, err := strconv.Atoi(w)
	if err != nil || n < 0 {
		return 0, fmt.Errorf("expected a number, found %q", w)
	}
	return n, nil
}

// quoted takes a string.
func (r *reader) quoted() error {
	r.space()
	if r.at == len(r.text) || r.text[r.at] != '"' {
		return fmt.Errorf("expected a string")
	}
	for i := r.at + 1; i < len(r.text); i++ {
		switch r.text[i] {
		case '\\':
			i++
		case '"':
			r.at = i + 1
			return nil
		}
	}
	return fmt.Errorf("a string without end")
}

// headers are those that pnmc writes, in their order; some may be missing.
var headers = []string{"name:", "States:", "Start:", "AP:", "acc-name:", "Acceptance:", "properties:", "Testing:"}

// repeated are headers that may come again.
var repeated = map[string]bool{"Start:": true, "properties:": true}

// automaton reads one automaton to its --END--.
func (r *reader) automaton() error {
	start := r.at
	if !r.peek("HOA: v1") || start > 0 && r.text[start-1] != '\n' {
		return fmt.Errorf("expected HOA: v1 on a line of its own")
	}
	r.at += len("HOA: v1")
	if r.at == len(r.text) {
		return fmt.Errorf("nothing follows HOA: v1")
	}
	separator := r.text[r.at]
	states, sets, propositions, err := r.header(separator)
	if err != nil {
		return err
	}
	for q := range states {
		if is, err := r.begins("State: ", separator); err != nil || !is {
			return fmt.Errorf("expected state %d: %v", q, err)
		}
		if n, err := r.number(); err != nil || n != q {
			return fmt.Errorf("state %d, expected %d: %v", n, q, err)
		}
		if r.peek(`"`) {
			if err := r.quoted(); err != nil {
				return err
			}
		}
		if err := r.marks(sets); err != nil {
			return err
		}
		for {
			is, err := r.begins("[", separator)
			if err != nil {
				return err
			}
			if !is {
				break
			}
			if err := r.edge(states, sets, propositions); err != nil {
				return err
			}
		}
	}
	if is, err := r.begins("--END--\n", separator); err != nil || !is {
		return fmt.Errorf("expected --END-- after %d states: %v", states, err)
	}
	return nil
}

// header reads the headers up to --BODY--.
func (r *reader) header(separator byte) (states, sets, propositions int, err error) {
	next := 0
	has := map[string]bool{}
	for {
		if is, err := r.begins("--BODY--", separator); err != nil || is {
			if err == nil && !(has["States:"] && has["AP:"] && has["Acceptance:"] && has["properties:"]) {
				err = fmt.Errorf("a header is missing: there are only %v", has)
			}
			return states, sets, propositions, err
		}
		found := ""
		for i := max(0, next-1); i < len(headers) && found == ""; i++ {
			if i == next-1 && !repeated[headers[i]] {
				continue
			}
			is, err := r.begins(headers[i]+" ", separator)
			if err != nil {
				return 0, 0, 0, err
			}
			if is {
				found, next = headers[i], i+1
			}
		}
		has[found] = true
		switch found {
		case "":
			err = fmt.Errorf("expected a header or --BODY--")
		case "name:":
			err = r.quoted()
		case "States:":
			states, err = r.number()
		case "Start:":
			_, err = r.number()
		case "AP:":
			propositions, err = r.number()
			for i := 0; i < propositions && err == nil; i++ {
				err = r.quoted()
			}
		case "Acceptance:":
			if sets, err = r.number(); err == nil {
				err = condition(r.rest(separator))
			}
		case "properties:":
			err = known(found, r.rest(separator), propertyWords)
		case "Testing:":
			err = known(found, r.rest(separator), []string{"ta", "tgta"})
		default:
			if len(bytes.TrimSpace(r.rest(separator))) == 0 {
				err = fmt.Errorf("%s has no value", found)
			}
		}
		if err != nil {
			return 0, 0, 0, err
		}
	}
}

// propertyWords are the properties that pnmc writes.
var propertyWords = []string{"trans-labels", "explicit-labels", "trans-acc", "state-acc", "colored", "complete", "deterministic", "semi-deterministic",
	"unambiguous", "stutter-invariant", "terminal", "very-weak", "weak", "inherently-weak"}

// known checks that a header has words, and only those.
func known(header string, text []byte, words []string) error {
	list := strings.Fields(string(text))
	for _, w := range list {
		if !slices.Contains(words, w) {
			return fmt.Errorf("%s has %q", header, w)
		}
	}
	if len(list) == 0 {
		return fmt.Errorf("%s has no value", header)
	}
	return nil
}

// rest takes the rest of a header: of the line, or up to the next header.
func (r *reader) rest(separator byte) []byte {
	start := r.at
	if separator == '\n' {
		if i := bytes.IndexByte(r.text[r.at:], '\n'); i >= 0 {
			r.at += i
		} else {
			r.at = len(r.text)
		}
		return r.text[start:r.at]
	}
	for r.at < len(r.text) {
		before := r.at
		if w := r.word(); strings.HasSuffix(w, ":") || strings.HasPrefix(w, "--") || r.at == before {
			r.at -= len(w)
			return r.text[start:r.at]
		}
	}
	return r.text[start:]
}

// condition checks an acceptance condition: its characters, and that each parenthesis has
// its end and each operator its operands.
func condition(text []byte) error {
	depth, operand := 0, false
	for _, w := range strings.Fields(strings.NewReplacer("(", " ( ", ")", " ) ", "&", " & ", "|", " | ").Replace(string(text))) {
		_, isNumber := strconv.Atoi(w)
		switch {
		case w == "(" && !operand:
			depth++
		case w == ")" && operand && depth > 0:
			depth--
		case (w == "&" || w == "|") && operand:
			operand = false
		case (w == "Inf" || w == "Fin") && !operand:
		case (w == "t" || w == "f" || isNumber == nil) && !operand:
			operand = true
		default:
			return fmt.Errorf("an acceptance condition with %q in a wrong place", w)
		}
	}
	if depth != 0 || !operand {
		return fmt.Errorf("an acceptance condition without its end")
	}
	return nil
}

// edge reads an edge from its label on, which [ began.
func (r *reader) edge(states, sets, propositions int) error {
	end := bytes.IndexByte(r.text[r.at:], ']')
	if end < 0 {
		return fmt.Errorf("a label without its end")
	}
	for cube := range bytes.SplitSeq(r.text[r.at:r.at+end], []byte(" | ")) {
		if len(cube) == 1 && cube[0] == 't' {
			continue
		}
		for literal := range bytes.SplitSeq(cube, []byte("&")) {
			n, err := strconv.Atoi(string(bytes.TrimPrefix(literal, []byte("!"))))
			if err != nil || n < 0 || n >= propositions {
				return fmt.Errorf("a label with %q", literal)
			}
		}
	}
	r.at += end + 1
	if to, err := r.number(); err != nil || to >= states {
		return fmt.Errorf("an edge to state %d of %d: %v", to, states, err)
	}
	return r.marks(sets)
}

// marks reads acceptance sets in braces, if some come.
func (r *reader) marks(sets int) error {
	if !r.peek("{") {
		return nil
	}
	r.at++
	for first := true; ; first = false {
		if r.peek("}") && !first {
			r.at++
			return nil
		}
		if n, err := r.number(); err != nil || n >= sets {
			return fmt.Errorf("a mark %d of %d: %v", n, sets, err)
		}
	}
}

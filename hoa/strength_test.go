package hoa

import (
	"context"
	"strconv"
	"strings"
	"testing"

	"pnmc/automata"
)

// TestStructure claims each property, and its negation, of small automata: one of
// the two is false.
func TestStructure(t *testing.T) {
	const head = "HOA: v1 AP: 2 \"a\" \"b\" Start: 0 Acceptance: "
	for _, c := range []struct{ name, text, holds, fails string }{
		{"one loop", "1 Inf(0) --BODY-- State: 0 [t] 0 {0} --END--",
			"weak very-weak inherently-weak terminal unambiguous semi-deterministic deterministic complete", ""},
		{"two loops of which one is accepted", "1 Inf(0) --BODY-- State: 0 [0] 0 {0} [!0] 0 --END--",
			"unambiguous semi-deterministic", "weak very-weak inherently-weak terminal"},
		{"a cycle with one mark", "1 Inf(0) --BODY-- State: 0 [t] 1 {0} State: 1 [t] 0 --END--",
			"inherently-weak", "weak very-weak terminal"},
		{"a cycle with two", "1 Inf(0) --BODY-- State: 0 {0} [t] 1 State: 1 {0} [t] 0 --END--",
			"inherently-weak weak terminal", "very-weak"},
		{"globally a", "1 Inf(0) --BODY-- State: 0 {0} [0] 0 --END--",
			"weak very-weak", "terminal complete"},
		{"an accepted cycle that may be left for a rejected one", "1 Inf(0) --BODY-- State: 0 [0] 0 {0} [!0] 1 State: 1 [t] 1 --END--",
			"weak very-weak", "terminal"},
		{"an accepted cycle that may be left for a dead end", "1 Inf(0) --BODY-- State: 0 [t] 0 {0} [!0] 1 State: 1 --END--",
			"weak terminal unambiguous", "deterministic complete semi-deterministic"},
		{"finally globally a", "1 Inf(0) --BODY-- State: 0 [t] 0 [0] 1 State: 1 [0] 1 {0} --END--",
			"weak very-weak semi-deterministic", "unambiguous deterministic terminal"},
		{"the same, leaving at the last !a", "1 Inf(0) --BODY-- State: 0 [t] 0 [!0] 1 State: 1 [0] 1 {0} --END--",
			"unambiguous semi-deterministic", "deterministic"},
		{"a choice after acceptance", "1 Inf(0) --BODY-- State: 0 [0] 0 {0} [1] 1 State: 1 [0] 1 [1] 1 --END--",
			"weak unambiguous", "semi-deterministic"},
		{"an edge twice is one run", "1 Inf(0) --BODY-- State: 0 [0] 0 {0} [1] 0 {0} --END--",
			"unambiguous", "semi-deterministic deterministic"},
		{"marks that tell runs apart", "2 Inf(0) | Inf(1) --BODY-- State: 0 [0] 0 {0} [1] 0 {1} --END--",
			"inherently-weak", "weak unambiguous semi-deterministic"},
		{"only one of two runs is accepted", "2 Inf(0) & Fin(1) --BODY-- State: 0 [t] 0 {0 1} [t] 1 {0} State: 1 [t] 1 {0 1} --END--",
			"unambiguous", "deterministic"},
		{"two runs that no word has accepted both", "1 Inf(0) --BODY-- State: 0 [t] 1 [t] 2 State: 1 [0] 1 {0} State: 2 [!0] 2 {0} --END--",
			"unambiguous semi-deterministic", "deterministic"},
		{"two initial states", "1 Inf(0) Start: 1 --BODY-- State: 0 [0] 0 {0} State: 1 [0&1] 1 {0} --END--",
			"semi-deterministic", "unambiguous deterministic"},
		{"Rabin", "2 Fin(0) & Inf(1) --BODY-- State: 0 [t] 1 {1} State: 1 [0] 0 [1] 0 {0} --END--",
			"", "inherently-weak unambiguous weak"},
		{"states that aren't reached", "1 Inf(0) --BODY-- State: 0 State: 1 [t] 1 [t] 1 {0} --END--",
			"unambiguous", "weak inherently-weak semi-deterministic"},
	} {
		read := func(property string) (*automata.Automaton, error) {
			body := strings.Index(c.text, "--BODY--")
			r := NewReader(strings.NewReader(head+c.text[:body]+"properties: "+property+" "+c.text[body:]), "")
			r.BeStrict()
			return r.Read()
		}
		negate := func(property string) string { return strings.TrimPrefix("!"+property, "!!") }
		for _, p := range strings.Fields(c.holds) {
			a, err := read(p)
			if err != nil || a.Claims != claims.Get()[p] {
				t.Errorf("%s, %s: %v", c.name, p, err)
				continue
			}
			if _, err := read(negate(p)); err == nil || !strings.Contains(err.Error(), "property "+negate(p)+" is false of the automaton") {
				t.Errorf("%s, %s: got %v", c.name, negate(p), err)
			}
			var text strings.Builder
			if err := Write(context.Background(), &text, a, Options{}); err != nil || !strings.Contains(text.String(), " "+p) {
				t.Errorf("%s, %s is not written: %v\n%s", c.name, p, err, &text)
			}
		}
		for _, p := range strings.Fields(c.fails) {
			_, err := read(p)
			if err == nil || !strings.Contains(err.Error(), "property "+p+" is false of the automaton") {
				t.Errorf("%s, %s: got %v", c.name, p, err)
			}
			a, err := read(negate(p))
			if err != nil {
				t.Errorf("%s, %s: %v", c.name, negate(p), err)
				continue
			}
			a.Claims = claims.Get()[p]
			var text strings.Builder
			if err := Write(context.Background(), &text, a, Options{}); err != nil || strings.Contains(text.String(), " "+p) {
				t.Errorf("%s, %s is written: %v\n%s", c.name, p, err, &text)
			}
		}
	}
}

// TestDroppedClaims checks claims that would cost too much to find out.
func TestDroppedClaims(t *testing.T) {
	var condition, many strings.Builder
	// Thirteen pigeons in twelve holes: each in one at least, no two in the same.
	const holes = 12
	set := func(pigeon, hole int) string { return strconv.Itoa(pigeon*holes + hole) }
	body := "State: 0"
	for p := range holes + 1 {
		var somewhere []string
		for h := range holes {
			body += " [t] 0 {" + set(p, h) + "}"
			somewhere = append(somewhere, "Inf("+set(p, h)+")")
			for q := range p {
				condition.WriteString("(Fin(" + set(p, h) + ") | Fin(" + set(q, h) + ")) & ")
			}
		}
		condition.WriteString("(" + strings.Join(somewhere, " | ") + ") & ")
	}
	condition.WriteString("t")
	for range 5000 {
		many.WriteString("[0] 0 {0} [0] 0 {1}\n")
	}
	for _, c := range []struct{ properties, acceptance, body, want string }{
		{"inherently-weak semi-deterministic", "156 " + condition.String(), body,
			"too much work for this acceptance condition or these labels"},
		{"unambiguous", "2 Inf(0) & Inf(1)", "State: 0 " + many.String(), "too large a product with itself"},
		{"terminal unambiguous", "1 Inf(0) Testing: tgta", "State: 0 [t] 1 [0] 1 State: 1 [t] 1 {0}",
			"the labels of testing automata don't show it"},
	} {
		text := "HOA: v1 AP: 1 \"a\" Start: 0 properties: " + c.properties + " Acceptance: " + c.acceptance + " --BODY-- " + c.body + " --END--"
		r := NewReader(strings.NewReader(text), "")
		a, err := r.Read()
		if err != nil {
			t.Errorf("%s: %v", c.properties, err)
			continue
		}
		names := strings.Fields(c.properties)
		if a.Claims != 0 || len(r.Warnings()) != len(names) {
			t.Errorf("%s: claims %b, %v", c.properties, a.Claims, r.Warnings())
		}
		for _, w := range r.Warnings() {
			if !strings.HasSuffix(w.Message, " was not checked, and is dropped: "+c.want) {
				t.Errorf("%s: got %v", c.properties, w)
			}
		}
	}
}

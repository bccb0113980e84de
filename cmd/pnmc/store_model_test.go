package main

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pnmc/cmd/pnmc/internal/exit"
)

// storeFaults are the transitions of testdata/store.pnml that can't fire if insertions are right.
var storeFaults = []string{"claim_again", "unwritten", "lost", "mistaken", "two_numbers", "two_numbers_of_threads"}

// askedOfText runs the main command on a net that is given as text, and returns its exit code.
func askedOfText(t *testing.T, net string, questions ...string) int {
	t.Helper()
	path := filepath.Join(t.TempDir(), "net.pnml")
	if err := os.WriteFile(path, []byte(net), 0o600); err != nil {
		t.Fatal(err)
	}
	var stdout, stderr bytes.Buffer
	code := run(context.Background(), append([]string{"pnmc", "--pnml", path, "--timeout", "60s"}, questions...), nil, &stdout, &stderr)
	if code > exit.Violated {
		t.Fatalf("%q: exit code %d\n%s%s", questions, code, stdout.String(), stderr.String())
	}
	return code
}

// replaced returns text with one part replaced, which is there once.
func replaced(t *testing.T, text, old, new string) string {
	t.Helper()
	if strings.Count(text, old) != 1 {
		t.Fatalf("%q is there %d times", old, strings.Count(text, old))
	}
	return strings.Replace(text, old, new, 1)
}

// TestStoreModel: no run of the model of package petri/internal/store loses a marking, has it
// twice, or reads one that is not written yet, and all runs end: nobody waits for another. What
// is told of the model is not true of models with a fault, of which each is found.
func TestStoreModel(t *testing.T) {
	text, err := os.ReadFile("../../testdata/store.pnml")
	if err != nil {
		t.Fatal(err)
	}
	three := string(text)
	twoOf := func(thread string) string {
		return `<subterm><numberof><subterm><numberconstant value="2"><positive/></numberconstant></subterm><subterm><useroperator declaration="` + thread + `"/></subterm></numberof></subterm>`
	}
	left := `<place id="left"><type><structure><usersort declaration="Thread"/></structure></type><hlinitialMarking><structure>`
	two := replaced(t, three, left+`<all><usersort declaration="Thread"/></all>`, left+`<add>`+twoOf("t1")+twoOf("t2")+`</add>`)
	faultless := `!fireable("` + strings.Join(storeFaults, `") && !fireable("`) + `")`
	for _, test := range []struct{ name, net, end string }{
		{"three threads insert once", three, `F "done = 3"`},
		{"two threads insert twice", two, `F "done = 4"`},
	} {
		t.Run(test.name, func(t *testing.T) {
			if askedOfText(t, test.net, "--invariant", faultless, "--ltl", test.end) != exit.Holds {
				t.Error("the store is not right")
			}
			for _, happens := range []string{"lose", "rewrite", "other", "same"} {
				if askedOfText(t, test.net, "--reachable", `fireable("`+happens+`")`) != exit.Holds {
					t.Errorf("%s never happens", happens)
				}
			}
		})
	}
	for _, fault := range storeMutants() {
		t.Run(fault.name, func(t *testing.T) {
			wrong := three
			for _, change := range fault.changes {
				wrong = replaced(t, wrong, change[0], change[1])
			}
			if askedOfText(t, wrong, "--invariant", faultless) != exit.Violated {
				t.Error("the fault is not found")
			}
			if askedOfText(t, wrong, "--reachable", `fireable("`+fault.found+`")`) != exit.Holds {
				t.Errorf("it is not found by %s", fault.found)
			}
		})
	}
}

// storeMutant is a change of the model that makes it wrong, and the transition that then fires.
type storeMutant struct {
	name, found string
	changes     [][2]string
}

func storeMutants() []storeMutant {
	loses := modelArc("lose", "looks", "t", "k", "s")
	return []storeMutant{
		{"who loses a slot goes to the next one", "claim_again", [][2]string{{loses, modelArc("lose", "looks", "t", "k", "s++")}}},
		{"a number is published before its marking", "unwritten", [][2]string{{modelArc("wrote", "claim", "t", "k", "s"), modelArc("saw", "claim", "t", "k", "s")}}},
		// A slot that is full by now is written over, and nobody looks at it again.
		{"a slot is claimed by a store", "claim_again", [][2]string{
			{modelArc("lose", "full", "s", "u", "q"), modelArc("lose", "full", "s", "t", "p")},
			{loses, modelArc("lose", "done", "t", "k", "t", "p") + `<arc id="b1" ` + modelArc("next", "lose", "t", "p") +
				`<arc id="b2" ` + modelArc("lose", "next", "t", "p++") + `<arc id="b3" ` + modelArc("lose", "free", "t")},
		}},
	}
}

// modelArc returns an arc as the models in testdata have it, but for its identifier. Terms are
// variables, their successors, as s++, constants, as =g1, or a number of tokens without colour.
func modelArc(from, to string, terms ...string) string {
	var tuple []string
	for _, term := range terms {
		variable, isNext := strings.CutSuffix(term, "++")
		switch {
		case strings.HasPrefix(term, "="):
			term = `<useroperator declaration="` + term[1:] + `"/>`
		case term == "1":
			term = `<dotconstant/>`
		case term >= "2" && term <= "9":
			term = `<numberof><subterm><numberconstant value="` + term + `"><positive/></numberconstant></subterm><subterm><dotconstant/></subterm></numberof>`
		case isNext:
			term = `<successor><subterm><variable refvariable="` + variable + `"/></subterm></successor>`
		default:
			term = `<variable refvariable="` + variable + `"/>`
		}
		tuple = append(tuple, term)
	}
	text := tuple[0]
	if len(tuple) > 1 {
		text = `<tuple><subterm>` + strings.Join(tuple, `</subterm><subterm>`) + `</subterm></tuple>`
	}
	return `source="` + from + `" target="` + to + `"><hlinscription><structure>` + text + `</structure></hlinscription></arc>`
}

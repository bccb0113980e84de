package query

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pnmc/logic"
)

// vocabulary has the names of places by number, and no transitions but t.
type vocabulary []string

func (v vocabulary) Places(name string) []uint32 {
	if i := slices.Index(v, name); i >= 0 {
		return []uint32{uint32(i)}
	}
	return nil
}

func (v vocabulary) Transitions(name string) []uint32 {
	if name == "t" {
		return []uint32{0}
	}
	return nil
}

func (v vocabulary) PlaceName(p uint32) string    { return v[p] }
func (v vocabulary) TransitionName(uint32) string { return "t" }
func (v vocabulary) PlaceNames() []string         { return v }
func (v vocabulary) TransitionNames() []string    { return []string{"t"} }

// properties returns a file of formulas.
func properties(formulas ...string) string {
	var b strings.Builder
	b.WriteString("<property-set xmlns=\"http://tapaal.net/\">\n")
	for i, f := range formulas {
		fmt.Fprintf(&b, "<property><id>query %d</id><formula>%s</formula></property>\n", i, f)
	}
	return b.String() + "</property-set>\n"
}

// Formulas as they are written in files.
const (
	next       = "<all-paths><next>" + anAtom + "</next></all-paths>"
	always     = "<all-paths><globally>" + anAtom + "</globally></all-paths>"
	repeated   = "<all-paths><globally><finally>" + anAtom + "</finally></globally></all-paths>"
	someRun    = "<exists-path><globally><finally>" + anAtom + "</finally></globally></exists-path>"
	home       = "<all-paths><globally><exists-path><finally>" + anAtom + "</finally></exists-path></globally></all-paths>"
	impossible = "<negation><exists-path><finally>" + anAtom + "</finally></exists-path></negation>"
	bound      = "<place-bound><place>p</place><place>q</place></place-bound>"
)

// The content tells the kinds; what fits both logics goes with the rest of the file.
func TestKindsByContent(t *testing.T) {
	for _, c := range []struct {
		name     string
		formulas []string
		want     []Logic
	}{
		{"both alone", []string{next, always}, []Logic{BranchingTime, BranchingTime}},
		{"linear", []string{next, repeated, always}, []Logic{LinearTime, LinearTime, LinearTime}},
		{"branching", []string{next, home, always}, []Logic{BranchingTime, BranchingTime, BranchingTime}},
		{"negated", []string{next, impossible}, []Logic{BranchingTime, BranchingTime}},
		{"mixed", []string{next, repeated, home, bound}, []Logic{BranchingTime, LinearTime, BranchingTime, UpperBound}},
		{"some run", []string{someRun, next}, []Logic{LinearTime, LinearTime}},
		{"state", []string{anAtom, repeated}, []Logic{BranchingTime, LinearTime}},
		{"bounds", []string{bound}, []Logic{UpperBound}},
	} {
		read, err := Read("f.xml", []byte(properties(c.formulas...)))
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		var got []Logic
		for _, p := range read {
			got = append(got, p.Logic)
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: kinds %v, want %v", c.name, got, c.want)
		}
	}
}

// What is read is resolved, and what can't be has its place.
func TestPropertiesResolve(t *testing.T) {
	v := vocabulary{"p", "q"}
	read, err := Read("f.xml", []byte(properties(home, repeated, someRun, bound)))
	if err != nil {
		t.Fatal(err)
	}
	f, err := read[0].CTL(v)
	if text := f.Text(func(p *logic.Predicate) string { return p.Text(v) }); err != nil || text != `AG EF (tokens-count("p") <= 3)` {
		t.Errorf("%s, %v", text, err)
	}
	for i := 1; i <= 2; i++ {
		l, err := read[i].Linear(v)
		if err != nil || l.Exists != (i == 2) || len(l.Predicates) != 1 {
			t.Errorf("property %d: %+v, %v", i, l, err)
		}
	}
	s, err := read[3].Bound(v)
	if err != nil || len(s.Terms) != 2 || s.Constant != 0 {
		t.Errorf("%v, %v", s, err)
	}
	_, err = read[3].Bound(vocabulary{"p"})
	if err == nil || err.Error() != `f.xml:5:1: property query 3: no place "q"` {
		t.Errorf("error %v", err)
	}
	if _, err = read[1].CTL(v); err == nil || !strings.HasPrefix(err.Error(), "f.xml:3:1: property query 1: finally is not supported") {
		t.Errorf("error %v", err)
	}
}

// Products of places, of sums and of constants are multiplied.
func TestProductsResolve(t *testing.T) {
	p, q := "<tokens-count><place>p</place></tokens-count>", "<tokens-count><place>q</place></tokens-count>"
	number := func(n string) string { return "<integer-constant>" + n + "</integer-constant>" }
	times := func(operands ...string) string {
		return "<integer-product>" + strings.Join(operands, "") + "</integer-product>"
	}
	plus := func(operands ...string) string {
		return "<integer-sum>" + strings.Join(operands, "") + "</integer-sum>"
	}
	huge := number("4611686018427387904")
	for _, test := range []struct{ comparison, left, right, want string }{
		{"le", times(p, q), number("3"), `tokens-count("p") * tokens-count("q") <= 3`},
		{"gt", times(number("2"), p, plus(q, number("1"))), q, `tokens-count("q") + 1 <= 2 * tokens-count("p") * (tokens-count("q") + 1)`},
		{"ne", plus(times(p, p), times(p, q)), number("0"), `tokens-count("p") * tokens-count("p") + tokens-count("p") * tokens-count("q") != 0`},
		{"eq", times(p, times(q, plus(number("1"), number("1")))), times(q, p), `tokens-count("p") * tokens-count("q") == 0`},
		{"lt", times(plus(number("2"), number("3")), plus(p, q)), number("7"), `tokens-count("p", "q") <= 1`},
		{"ge", times(p, q, huge), times(p, q, number("-4611686018427387904")), ""},
	} {
		read, err := Read("f.xml", []byte(properties("<exists-path><finally><integer-"+test.comparison+">"+test.left+test.right+"</integer-"+test.comparison+"></finally></exists-path>")))
		if err != nil {
			t.Fatal(err)
		}
		f, err := read[0].CTL(vocabulary{"p", "q"})
		if test.want == "" {
			if err == nil || !strings.HasSuffix(err.Error(), errLarge.Error()) {
				t.Errorf("%v instead of too large a number", err)
			}
			continue
		}
		if err != nil {
			t.Errorf("%s: %v", test.want, err)
			continue
		}
		if text := f.Text(func(p *logic.Predicate) string { return p.Text(vocabulary{"p", "q"}) }); text != "EF ("+test.want+")" {
			t.Errorf("got %s, want %s", text, test.want)
		}
	}
}

// All that TAPAAL's own tests ask is read, as formulas of CTL.
func TestReadTAPAAL(t *testing.T) {
	files := unpacked(t, "../../shared/interop/tapaal.tgz")
	count := 0
	for name, source := range files {
		if filepath.Ext(name) != ".xml" {
			continue
		}
		read, err := Read(name, source)
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
		for _, p := range read {
			if count++; p.Logic != BranchingTime {
				t.Errorf("%s: kind %d", p.ID, p.Logic)
			}
		}
	}
	if count < 500 {
		t.Errorf("%d queries read", count)
	}
}

// Every file of the contest has the kind that its name says.
func TestKindsOfContestFiles(t *testing.T) {
	archives, _ := filepath.Glob(filepath.Join(inputs, "*.tgz"))
	if len(archives) == 0 {
		t.Skip("contest files are not here")
	}
	count := make(map[Logic]int)
	for i := 0; i < len(archives); i += 12 {
		for name, source := range folder(t, archives[i]) {
			examination, isXML := strings.CutSuffix(name, ".xml")
			if !isXML || examination == "GenericPropertiesVerdict" {
				continue
			}
			want := BranchingTime
			if strings.HasPrefix(examination, "LTL") {
				want = LinearTime
			} else if examination == "UpperBounds" {
				want = UpperBound
			}
			read, err := Read(name, source)
			if unread := (*UnreadError)(nil); err != nil && !errors.As(err, &unread) {
				continue // no property file
			}
			for _, p := range read {
				if count[p.Logic]++; p.Logic != want && p.Formula.isTemporal() {
					t.Errorf("%s: %s has kind %d, want %d", filepath.Base(archives[i]), p.ID, p.Logic, want)
				}
			}
		}
	}
	if len(count) != 3 {
		t.Errorf("kinds %v", count)
	}
}

// TestWrittenOutFormulasAreBounded: what CTL has no operator for is written out, as long as the formula
// does not get much longer. Nested, each level doubled it, and whoever read it went on for ever.
func TestWrittenOutFormulasAreBounded(t *testing.T) {
	possible := "<exists-path><finally>" + anAtom + "</finally></exists-path>"
	each := map[string]func(inner string) string{
		"equivalence": func(inner string) string { return "<equivalence>" + possible + inner + "</equivalence>" },
		"exclusive-disjunction": func(inner string) string {
			return "<exclusive-disjunction>" + inner + possible + "</exclusive-disjunction>"
		},
		"until": func(inner string) string {
			return "<all-paths><until><strength>weak</strength><before>" + anAtom + "</before><reach>" + inner + "</reach></until></all-paths>"
		},
		"next": func(inner string) string {
			return "<exists-path><next><if-no-successor>true</if-no-successor><steps>1000</steps>" + inner + "</next></exists-path>"
		},
	}
	for name, wrap := range each {
		for _, test := range []struct {
			depth int
			fits  bool
		}{{6, true}, {60, false}} {
			text := possible
			for range test.depth {
				text = wrap(text)
			}
			list, err := Read("f.xml", []byte(properties(text)))
			if err != nil {
				t.Fatal(name, err)
			}
			r := Resolver{Vocabulary: vocabulary{"p", "q"}}
			f, err := r.CTL(list[0].Formula)
			if test.fits && (err != nil || f.MergeStates() == nil) {
				t.Errorf("%s, %d of them: %v", name, test.depth, err)
			}
			why := " is not supported: written out with the operators of CTL, the formula gets longer by more than 65536 operators"
			if name == "next" {
				why = " is not supported: with its steps written out as operators, the formula has more than 10000 of them above one another"
			}
			if !test.fits && (err == nil || !strings.Contains(err.Error(), name+why)) {
				t.Errorf("%s, %d of them: error %v", name, test.depth, err)
			}
		}
	}
}

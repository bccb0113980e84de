package query

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"pnmc/logic"
)

// manyNodes is a vocabulary whose names stand for many nodes each, as those of coloured nets do.
type manyNodes struct{ vocabulary }

const nodesOfName = 10_000

func (manyNodes) Places(name string) []uint32      { return nodesOf(name, "p") }
func (manyNodes) Transitions(name string) []uint32 { return nodesOf(name, "t") }

func nodesOf(name, letter string) []uint32 {
	var n int
	if _, err := fmt.Sscanf(name, letter+"%d", &n); err != nil {
		return nil
	}
	nodes := make([]uint32, nodesOfName)
	for i := range nodes {
		nodes[i] = uint32(n*nodesOfName + i)
	}
	return nodes
}

// TestResolvingAsksTheLimit: whatever is resolved, the limit is asked for at least what is made of it, and ends it.
func TestResolvingAsksTheLimit(t *testing.T) {
	const names = 30
	list := func(format string) string {
		var b strings.Builder
		for i := range names {
			fmt.Fprintf(&b, format, i)
		}
		return b.String()
	}
	fireable := "<is-fireable>" + list("<transition>t%d</transition>") + "</is-fireable>"
	tokens := "<tokens-count>" + list("<place>p%d</place>") + "</tokens-count>"
	least := "<integer-le><integer-constant>1</integer-constant>" + tokens + "</integer-le>"
	steps := strings.Repeat("<next><steps>900</steps>", 10) + least + strings.Repeat("</next>", 10)
	twice := strings.Repeat("<exists-path><next><steps>900</steps>", 10) + least + strings.Repeat("</next></exists-path>", 10)
	ctl := func(r *Resolver, f *Formula) error { _, err := r.CTL(f); return err }
	ltl := func(r *Resolver, f *Formula) error { _, err := r.LTL(f); return err }
	bound := func(r *Resolver, f *Formula) error { _, err := r.Bound(f); return err }
	for _, c := range []struct {
		name, formula string
		resolve       func(*Resolver, *Formula) error
		least         int // bytes
	}{
		{"fireable", "<exists-path><finally>" + fireable + "</finally></exists-path>", ctl, names * nodesOfName * 4},
		{"tokens", "<exists-path><finally>" + least + "</finally></exists-path>", ctl, names * nodesOfName * 32},
		{"linear", "<all-paths><finally>" + least + "</finally></all-paths>", ltl, names * nodesOfName * 32},
		{"bound", "<place-bound>" + list("<place>p%d</place>") + "</place-bound>", bound, names * nodesOfName * 32},
		{"steps", "<all-paths>" + steps + "</all-paths>", ltl, 9_000 * 200},
		{"steps of branching time", twice, ctl, 9_000 * 200},
		{"conjunction", "<exists-path><finally><conjunction>" + strings.Repeat("<deadlock/>", 10_000) + "</conjunction></finally></exists-path>", ctl, 10_000 * 300},
		{"sum", "<exists-path><finally><integer-le><integer-sum>" + strings.Repeat("<integer-constant>1</integer-constant>", 10_000) +
			"</integer-sum><integer-constant>1</integer-constant></integer-le></finally></exists-path>", ctl, 10_000 * 300},
		{"never built", "<place-bound>" + strings.Repeat("<place>empty</place>", 100) + "</place-bound>", bound, 100 << 17},
	} {
		properties, err := Read("f.xml", []byte(properties(c.formula)))
		if err != nil {
			t.Fatal(c.name, err)
		}
		bytes, asked := 0, 0
		resolver := &Resolver{Vocabulary: neverBuilt{manyNodes{}}, Limit: func(n int) error { bytes += n; asked++; return nil }}
		if err := c.resolve(resolver, properties[0].Formula); err != nil || bytes < c.least {
			t.Errorf("%s: asked for %d bytes, expected %d or more; %v", c.name, bytes, c.least, err)
		}
		over := errors.New("over")
		for _, last := range []int{0, asked / 2, asked - 1} {
			n := 0
			resolver.Limit = func(int) error {
				if n++; n > last {
					return over
				}
				return nil
			}
			var limit *logic.LimitError
			if err := c.resolve(resolver, properties[0].Formula); !errors.As(err, &limit) || limit.Err != over || n > last+1 {
				t.Errorf("%s: after %d of %d looks: %v, at look %d", c.name, last, asked, err, n)
			}
		}
	}
}

// neverBuilt has a place that has no nodes.
type neverBuilt struct{ manyNodes }

func (v neverBuilt) Places(name string) []uint32 {
	if name == "empty" {
		return []uint32{}
	}
	return v.manyNodes.Places(name)
}

// TestStepsOfNextAreBounded: steps above one another are no more than mostSteps, in both logics; beside one another they may be more.
func TestStepsOfNextAreBounded(t *testing.T) {
	wrapped := func(n int, before, after string) string {
		return strings.Repeat(before+"<next><steps>1000</steps>", n) + anAtom + strings.Repeat("</next>"+after, n)
	}
	for n, fits := range map[int]bool{10: true, 11: false} {
		linear := "<all-paths><conjunction>" + wrapped(n, "", "") + wrapped(9, "", "") + "</conjunction></all-paths>"
		branching := "<conjunction>" + wrapped(n, "<all-paths>", "</all-paths>") + wrapped(9, "<all-paths>", "</all-paths>") + "</conjunction>"
		list, err := Read("f.xml", []byte(properties(linear, branching)))
		if err != nil {
			t.Fatal(err)
		}
		r := &Resolver{Vocabulary: vocabulary{"p", "q"}}
		_, inLinear := r.LTL(list[0].Formula)
		_, inBranching := r.CTL(list[1].Formula)
		for _, err := range []error{inLinear, inBranching} {
			if (err == nil) != fits || err != nil && !strings.Contains(err.Error(), "more than 10000 of them above one another") {
				t.Errorf("%d thousand steps: %v", n, err)
			}
		}
	}
}

// TestTemporalOperatorsAreLookedForOnce: a formula of many levels is gone through once, not once from each level.
func TestTemporalOperatorsAreLookedForOnce(t *testing.T) {
	f := &Formula{Kind: Globally, Operands: []*Formula{{Kind: Constant}}}
	for range 1000 {
		f = &Formula{Kind: Conjunction, Operands: []*Formula{{Kind: Disjunction, Operands: []*Formula{{Kind: Constant}}}, f}}
	}
	r := &Resolver{}
	if _, err := r.LTL(&Formula{Kind: AllPaths, Operands: []*Formula{f}}); err != nil || len(r.temporal) != 2001 {
		t.Errorf("%d formulas looked at, %v", len(r.temporal), err)
	}
	for g, temporal := range r.temporal {
		if temporal != g.isTemporal() {
			t.Fatalf("%s: %v", g.Text(Nested), temporal)
		}
	}
}

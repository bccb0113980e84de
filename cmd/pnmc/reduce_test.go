package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"math/big"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"pnmc/cmd/pnmc/internal/exit"
	"pnmc/internal/petritest"
	"pnmc/petri"
	"pnmc/pnml"
)

// reductionMap is a map as it is written.
type reductionMap struct {
	For                     string
	Places, Removed, Prefix []string
	Transitions             []struct {
		ID       string
		Sequence []string
	}
	Counts struct {
		Groups []struct {
			ID     string
			Places []string
		}
		Equations []struct {
			Place    string
			Constant int64
			Terms    []string
		}
		Dead []string
	}
}

// reduced runs the command on a net, and reads what it writes.
func reduced(t interface{ Fatal(...any) }, folder string, net *petri.Net, class string, keep []string) (*petri.Net, *reductionMap) {
	in, out, back := filepath.Join(folder, "in.pnml"), filepath.Join(folder, "out.pnml"), filepath.Join(folder, "map.json")
	var text bytes.Buffer
	if err := pnml.Write(&text, net); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(in, text.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	arguments := []string{"pnmc", "reduce", "--pnml", in, "--for", class, "-o", out, "--map", back}
	for _, id := range keep {
		arguments = append(arguments, "--keep", id)
	}
	var stdout, stderr bytes.Buffer
	if code := run(context.Background(), arguments, nil, &stdout, &stderr); code != exit.Holds {
		t.Fatal(arguments, code, stderr.String())
	}
	small, err := pnml.Reader{}.ReadFile(out)
	if err != nil {
		t.Fatal(err)
	}
	told, err := os.ReadFile(back)
	if err != nil {
		t.Fatal(err)
	}
	m := new(reductionMap)
	if err := json.Unmarshal(told, m); err != nil {
		t.Fatal(err)
	}
	return small, m
}

// fireAll fires transitions by their identifiers.
func fireAll(t *rapid.T, net *petri.Net, m petri.Marking, ids []string) {
	for _, id := range ids {
		if u, ok := net.TransitionByID(id); !ok || !net.Fire(m, u) {
			t.Fatalf("%s can't fire, of %v", id, ids)
		}
	}
}

// views returns the token counts of the kept places in all markings.
func views(net *petri.Net, g *petritest.Graph, keep []string) map[string]bool {
	seen := map[string]bool{}
	for _, m := range g.Markings {
		view := ""
		for _, id := range keep {
			p, _ := net.PlaceByID(id)
			view += fmt.Sprint(m[p], " ")
		}
		seen[view] = true
	}
	return seen
}

// fired returns the transitions that fire somewhere.
func fired(net *petri.Net, g *petritest.Graph) map[string]bool {
	seen := map[string]bool{}
	for _, edges := range g.Edges {
		for _, f := range edges {
			seen[net.TransitionLabel(f.Transition).ID] = true
		}
	}
	return seen
}

func deadlocks(g *petritest.Graph) bool {
	for _, edges := range g.Edges {
		if len(edges) == 0 {
			return true
		}
	}
	return false
}

// comesToDeadlock reports whether the net is dead once whatever changes something has fired, in orders
// that change at random.
func comesToDeadlock(net *petri.Net, m petri.Marking) bool {
	for range 1000 {
		before := slices.Clone(m)
		for _, u := range rand.Perm(net.Transitions()) {
			net.Fire(m, petri.Transition(u))
		}
		if slices.Equal(before, m) && net.Deadlock(m) {
			return true
		}
	}
	return false
}

// TestReducedNets: what is written and read again has the same deadlocks, markings of kept
// places, or firings, as its class says; and its runs are runs of the net by the map.
func TestReducedNets(t *testing.T) {
	folder := t.TempDir()
	smaller := map[string]int{}
	if !petritest.CheckUntil(t, func() bool { return len(smaller) == len(reductionClasses) }, func(t *rapid.T) {
		net, g := petritest.SmallNet(t)
		var keep []string
		for p := range petri.Place(net.Places()) {
			if rapid.IntRange(0, 3).Draw(t, "keep") == 0 {
				keep = append(keep, net.PlaceLabel(p).ID)
			}
		}
		class := rapid.SampledFrom(classNames()).Draw(t, "class")
		small, m := reduced(t, folder, net, class, keep)
		if small.Places()+small.Transitions() < net.Places()+net.Transitions() {
			smaller[class]++
		}
		s, complete := petritest.Explore(small, 1000)
		if !complete {
			t.Fatal("the reduced net has more markings")
		}
		if class != "deadlock" && !maps.Equal(views(net, g, keep), views(small, s, keep)) {
			t.Fatalf("%s: other markings of %v", class, keep)
		}
		if class != "reachability" && class != "ltl-x" && class != "ctl-x" && class != "count" && deadlocks(g) != deadlocks(s) {
			t.Fatalf("%s: other deadlocks", class)
		}
		if class == "liveness" && !maps.Equal(fired(net, g), fired(small, s)) {
			t.Fatal("other transitions fire")
		}
		marking, original := small.Initial(), net.Initial()
		fireAll(t, net, original, m.Prefix)
		for range 10 {
			u := petri.Transition(rapid.IntRange(0, max(0, small.Transitions()-1)).Draw(t, "fire"))
			if int(u) >= small.Transitions() || !small.Fire(marking, u) {
				continue
			}
			if m.Transitions[u].ID != small.TransitionLabel(u).ID {
				t.Fatalf("transition %d of the map is %q", u, m.Transitions[u].ID)
			}
			fireAll(t, net, original, m.Transitions[u].Sequence)
		}
		if small.Deadlock(marking) {
			switch class {
			case "deadlock":
				if !comesToDeadlock(net, slices.Clone(original)) {
					t.Fatal("the run to a deadlock leads to none")
				}
			case "ltl", "ctl", "liveness":
				if !net.Deadlock(original) {
					t.Fatalf("%s: a deadlock of the reduced net is none of the net", class)
				}
			}
		}
		for _, id := range keep {
			p, _ := net.PlaceByID(id)
			q, ok := small.PlaceByID(id)
			if !ok || original[p] != marking[q] {
				t.Fatalf("%s has other tokens, or is gone", id)
			}
		}
	}) {
		t.Errorf("some classes reduce nothing: %v", smaller)
	}
}

// TestReducedCounts: whoever has the reduced net, the map, and the net's text counts the markings and firings
// of the net.
func TestReducedCounts(t *testing.T) {
	folder, smaller := t.TempDir(), 0
	if !petritest.CheckUntil(t, func() bool { return smaller > 0 }, func(t *rapid.T) {
		net := petritest.Chains().Draw(t, "net")
		g, complete := petritest.Explore(net, 300)
		if !complete {
			t.Skip("too many markings")
		}
		small, m := reduced(t, folder, net, "count", nil)
		if len(m.Counts.Groups) > 0 {
			smaller++
		}
		s, complete := petritest.Explore(small, 300)
		if !complete {
			t.Fatal("the reduced net has more markings")
		}
		group := make(map[string]string) // of each place, where its tokens are
		size := make(map[string]int64)
		for _, id := range m.Places {
			group[id], size[id] = id, 1
		}
		for _, joined := range m.Counts.Groups {
			size[joined.ID] = int64(len(joined.Places))
			for _, id := range joined.Places {
				group[id] = joined.ID
			}
		}
		count := func(needs map[string]int64) *big.Int {
			total := new(big.Int)
			for _, marking := range s.Markings {
				product := big.NewInt(1)
				for p, n := range marking {
					id := small.PlaceLabel(petri.Place(p)).ID
					if n -= needs[id]; n < 0 {
						product.SetInt64(0)
					} else {
						product.Mul(product, new(big.Int).Binomial(n+size[id]-1, size[id]-1))
					}
				}
				total.Add(total, product)
			}
			return total
		}
		firings, edges := new(big.Int), 0
		for u := range petri.Transition(net.Transitions()) {
			if slices.Contains(m.Counts.Dead, net.TransitionLabel(u).ID) {
				continue
			}
			needs := map[string]int64{}
			for _, a := range net.Pre(u) {
				if in, is := group[net.PlaceLabel(a.Place).ID]; is {
					needs[in] += a.Weight
				}
			}
			firings.Add(firings, count(needs))
		}
		for _, e := range g.Edges {
			edges += len(e)
		}
		if got := count(nil); got.Cmp(big.NewInt(int64(len(g.Markings)))) != 0 || firings.Cmp(big.NewInt(int64(edges))) != 0 {
			t.Fatalf("%s markings and %s firings, expected %d and %d", got, firings, len(g.Markings), edges)
		}
	}) {
		t.Error("nothing was reduced")
	}
}

func TestReduceUsage(t *testing.T) {
	net := "../../testdata/philosophers.pnml"
	for _, c := range []struct {
		arguments []string
		code      int
	}{
		{[]string{"--pnml", net}, exit.Usage},
		{[]string{"--pnml", net, "--for", "everything"}, exit.Usage},
		{[]string{"--pnml", net, "--for", "ctl", "--keep", "nowhere"}, exit.Usage},
		{[]string{"--pnml", net, "--for", "ctl", "more"}, exit.Usage},
		{[]string{"--pnml", net, "--for", "ctl", "-o", "/"}, exit.Input},
		{[]string{"--pnml", net, "--for", "deadlock"}, exit.Holds},
	} {
		var stdout, stderr bytes.Buffer
		if code := run(context.Background(), append([]string{"pnmc", "reduce"}, c.arguments...), nil, &stdout, &stderr); code != c.code {
			t.Errorf("%v: exit code %d, %s", c.arguments, code, &stderr)
		}
	}
}

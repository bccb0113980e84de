package chamber

import (
	"fmt"
	"slices"
	"strings"

	"pnmc/internal/torture/draw"
	"pnmc/internal/torture/form"
	"pnmc/internal/torture/twin"
)

// reduce runs the command of that name, and compares what is kept.
func (d *drawing) reduce() {
	net := d.net()
	class := draw.Pick(d.Source, "deadlock", "reachability", "ltl-x", "ctl-x", "ltl", "ctl", "liveness", "count")
	d.argue("reduce", "--for", class)
	d.netFile(net)
	var kept []string
	for range d.IntN(4) {
		if len(net.Places) > 0 {
			kept = append(kept, draw.Pick(d.Source, net.Places...))
		}
	}
	if len(kept) > 0 {
		d.argue("--keep", strings.Join(kept, ","))
	}
	d.timeLimit("--timeout", 1)
	d.memoryLimit()
	d.orNot(0.5, "--map", d.output("map.json", form.Lines(form.Object("for places removed prefix transitions", "counts"))))
	toFile := d.Chance(0.8)
	if toFile {
		d.argue("-o", d.output("reduced.pnml", form.PNML))
	} else {
		d.Stdout = pnmlUnlessEnded
	}
	d.Verdict = func(o *Outcome) []string {
		if o.Code != 0 {
			return nil
		}
		text := o.Stdout
		if toFile {
			var err error
			if text, err = o.file("reduced.pnml"); err != nil {
				return []string{err.Error()}
			}
		}
		if slices.Contains(d.Arguments, "--map") {
			if _, err := o.file("map.json"); err != nil {
				return []string{err.Error()}
			}
		}
		if net.Twin == nil || net.Coloured {
			return nil
		}
		reduced, err := twin.ReadNet(text)
		if err != nil {
			return []string{"the reduced net can't be read: " + err.Error()}
		}
		return differences(net.Twin, reduced, class, kept)
	}
}

// differences returns what a reduction of that class must keep and did not, as far as both nets can
// be explored. For deadlocks that is whether there is one, for liveness which transitions fire, and
// for all other classes which combinations of tokens the places that are kept have in some marking.
// What a class keeps of runs, beyond that, is not compared here.
func differences(n, reduced *twin.Net, class string, kept []string) []string {
	limit := markings(len(n.Initial))
	before, after := n.Explore(limit), reduced.Explore(limit)
	if !before.Whole || !after.Whole {
		return nil
	}
	switch class {
	case "deadlock":
		if x, y := slices.ContainsFunc(before.Markings, n.Deadlock), slices.ContainsFunc(after.Markings, reduced.Deadlock); x != y {
			return []string{fmt.Sprintf("wrong verdict: the net has a deadlock: %v, the reduced one: %v", x, y)}
		}
	case "liveness":
		for _, name := range n.TransitionNames {
			if x, y := fires(before, name), fires(after, name); x != y {
				return []string{fmt.Sprintf("wrong verdict: %s fires in the net: %v, in the reduced one: %v", name, x, y)}
			}
		}
	default:
		x, okay := combinations(before, kept)
		y, also := combinations(after, kept)
		if !okay || !also {
			return []string{fmt.Sprintf("a place of %q is gone", kept)}
		}
		for c := range x {
			if !y[c] {
				return []string{fmt.Sprintf("wrong verdict: tokens %s of %q are reachable in the net only", c, kept)}
			}
		}
		for c := range y {
			if !x[c] {
				return []string{fmt.Sprintf("wrong verdict: tokens %s of %q are reachable in the reduced net only", c, kept)}
			}
		}
	}
	return nil
}

// fires reports whether a transition fires somewhere in the graph.
func fires(g *twin.Graph, name string) bool {
	for _, edges := range g.Edges {
		for _, e := range edges {
			if slices.Contains(g.Net.Transitions[name], e.Transition) {
				return true
			}
		}
	}
	return false
}

// combinations returns the tokens that places have together in the markings of a graph, as text.
func combinations(g *twin.Graph, places []string) (map[string]bool, bool) {
	found := map[string]bool{}
	for _, m := range g.Markings {
		var tokens []int64
		for _, name := range places {
			at := g.Net.Places[name]
			if len(at) != 1 {
				return nil, false
			}
			tokens = append(tokens, m[at[0]])
		}
		found[fmt.Sprint(tokens)] = true
	}
	return found, true
}

package chamber

import (
	"encoding/json"
	"fmt"
	"math/big"
	"regexp"
	"slices"
	"strings"

	"pnmc/internal/torture/draw"
	"pnmc/internal/torture/form"
	"pnmc/internal/torture/twin"
)

// measures are the four values of a state space, as the contest calls them.
var measures = []string{"STATES", "TRANSITIONS", "MAX_TOKEN_PER_MARKING", "MAX_TOKEN_IN_PLACE"}

var measureForm = regexp.MustCompile(`^STATE_SPACE (STATES|TRANSITIONS|MAX_TOKEN_PER_MARKING|MAX_TOKEN_IN_PLACE) (-?[0-9]+|\+inf) TECHNIQUES ` + techniquesForm + `$`)

// states runs the command of that name with the explicit engine.
func (d *drawing) states() {
	d.argue("states")
	net := d.net()
	d.netFile(net)
	if d.Chance(0.2) {
		d.argue("--disk", ".")
		d.orNot(0.3, "--max-disk", d.magnitudeText(1, 1000)+"kB")
	} else {
		d.orNot(0.6, "--threads", draw.Pick(d.Source, "1", "2", "3", "8"))
	}
	d.statesFlags(net.Twin)
}

// statesSymbolic runs it with decision diagrams, on a net or a table.
func (d *drawing) statesSymbolic() {
	d.argue("states")
	if slices.Contains(draw.TableKinds(), d.Kind) {
		table := draw.NewTable(d.Source, d.Kind)
		d.argue("--etf", d.file("model.etf", table.Text))
		d.statesFlags(nil)
		if n := table.Net.Twin; n != nil {
			// Values of variables are no tokens: states and firings are compared.
			d.Verdict = compareMeasures(func() map[string]string { return measured(n.Explore(markings(len(n.Initial))), 2) })
		}
		return
	}
	net := d.net()
	d.netFile(net)
	d.argue("--engine", "symbolic")
	d.orNot(0.4, "--exploration", draw.Pick(d.Source, "saturation", "chaining", "breadth-first"))
	d.orNot(0.4, "--encoding", draw.Pick(d.Source, "places", "groups"))
	d.orNot(0.4, "--order", draw.Pick(d.Source, "groups-follow", "force", "groups-force", "groups-sloan-force", "sloan-force", "follow-first",
		"follow-last-reversed", "declared", "sloan-reversed", "groups-follow-reversed"))
	d.statesFlags(net.Twin)
}

// statesFlags draws flags of pnmc states, and says what its lines must look like. If the twin of
// the net is known, the measures are compared with those of the twin.
func (d *drawing) statesFlags(n *twin.Net) {
	d.timeLimit("--timeout", 1)
	d.memoryLimit()
	d.Line = func(line string) error {
		m := measureForm.FindStringSubmatch(line)
		if m == nil || m[2][0] == '-' && (!slices.Contains(d.Arguments, "--etf") || !strings.HasPrefix(m[1], "MAX")) {
			return fmt.Errorf("it is no measure of a state space") // only values of tables can be negative
		}
		return nil
	}
	if d.Chance(0.3) {
		d.argue("--format", "json")
		d.Line = stateLine
	}
	if n != nil {
		d.Verdict = compareMeasures(func() map[string]string { return measured(n.Explore(markings(len(n.Initial))), 4) })
	}
}

// stateLine checks the object of JSON that tells a state space, of either engine.
func stateLine(line string) error {
	err := form.Object("states transitions max_token_per_marking max_token_in_place deadlocks complete seconds states_per_second transitions_per_second "+
		"bytes_per_state peak_rss_bytes", "reason")(line)
	if err != nil && form.Object("max_token_in_place complete order nodes peak_nodes seconds peak_rss_bytes",
		"states transitions max_token_per_marking deadlocks reason")(line) == nil {
		return nil
	}
	return err
}

// measured returns the first few measures of a graph; empty if it is not whole.
func measured(g *twin.Graph, some int) map[string]string {
	if !g.Whole {
		return nil
	}
	firings, inMarking, inPlace := 0, new(big.Int), int64(0)
	for _, edges := range g.Edges {
		firings += len(edges)
	}
	for _, m := range g.Markings {
		sum := new(big.Int)
		for _, x := range m {
			sum.Add(sum, big.NewInt(x))
			inPlace = max(inPlace, x)
		}
		if sum.Cmp(inMarking) > 0 {
			inMarking = sum
		}
	}
	values := []string{fmt.Sprint(len(g.Markings)), fmt.Sprint(firings), inMarking.String(), fmt.Sprint(inPlace)}
	result := map[string]string{}
	for i, name := range measures[:some] {
		result[name] = values[i]
	}
	return result
}

// compareMeasures returns a check that compares what is printed, as lines or as JSON, with what the
// twin counts. The twin counts only then, as that may take long.
func compareMeasures(expected func() map[string]string) func(*Outcome) []string {
	return func(o *Outcome) (list []string) {
		found := map[string]string{}
		for line := range strings.Lines(string(o.Stdout)) {
			if m := measureForm.FindStringSubmatch(strings.TrimSuffix(line, "\n")); m != nil {
				found[m[1]] = m[2]
			}
		}
		if strings.HasPrefix(string(o.Stdout), "{") && o.Code == 0 {
			decoder := json.NewDecoder(strings.NewReader(string(o.Stdout)))
			decoder.UseNumber()
			var object map[string]any
			if decoder.Decode(&object) == nil {
				for _, name := range measures {
					if n, ok := object[strings.ToLower(name)]; ok && n != nil {
						found[name] = fmt.Sprint(n)
					}
				}
			}
		}
		if o.Code == 0 && len(found) < len(measures) {
			list = append(list, fmt.Sprintf("only %d measures", len(found)))
		}
		if len(found) == 0 {
			return list
		}
		for name, value := range expected() {
			if found[name] != "" && found[name] != value {
				list = append(list, fmt.Sprintf("wrong verdict: %s is %s, and the twin counts %s", name, found[name], value))
			}
		}
		return list
	}
}

// pnmlUnlessEnded checks a net on standard output, which need not be there if the program ended with
// another code than 0.
func pnmlUnlessEnded(o *Outcome) error {
	if len(o.Stdout) == 0 && o.Code != 0 {
		return nil
	}
	return written("pnml", o.Code, -1, o.Stdout)
}

// mostUnfolded is up to how many bytes of an unfolded net the twin reads it, which takes time
// quadratic in the arcs of a transition.
const mostUnfolded = 2 << 20

// unfold runs the command of that name.
func (d *drawing) unfold() {
	d.argue("unfold")
	net := d.net()
	d.netFile(net)
	d.timeLimit("--timeout", 1)
	d.memoryLimit()
	d.orNot(0.2, "--keep-all")
	d.orNot(0.2, "--max-nodes", d.magnitudeText(1, 3000000))
	merged := d.Chance(0.2)
	if merged {
		d.argue("--merge")
	}
	if d.Chance(0.5) {
		d.argue("-o", d.output("unfolded.pnml", form.PNML))
	} else {
		d.Stdout = pnmlUnlessEnded
	}
	d.Verdict = func(o *Outcome) []string {
		if o.Code != 0 {
			return nil
		}
		text := o.Stdout
		if slices.Contains(d.Arguments, "-o") {
			var err error
			if text, err = o.file("unfolded.pnml"); err != nil {
				return []string{err.Error()}
			}
		}
		if len(text) > mostUnfolded {
			return nil
		}
		unfolded, err := twin.ReadNet(text)
		if err != nil {
			if net.Kind == "net-weights" || net.Kind == "net-domains" || net.Kind == "net-damaged" {
				return nil // numbers beyond 63 bits
			}
			return []string{"the unfolded net can't be read: " + err.Error()}
		}
		if net.Twin == nil || merged {
			return nil
		}
		limit := markings(len(net.Twin.Initial))
		expected, found := net.Twin.Explore(limit), unfolded.Explore(limit)
		if a, b := measured(expected, 2), measured(found, 2); expected.Whole && found.Whole && fmt.Sprint(a) != fmt.Sprint(b) {
			return []string{fmt.Sprintf("wrong verdict: the unfolded net has %v, and the twin counts %v", b, a)}
		}
		return nil
	}
}

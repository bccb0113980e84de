package reduce

import (
	"bufio"
	"bytes"
	"encoding/xml"
	"io"
	"os"
	"path"
	"slices"
	"strings"
	"testing"

	"pnmc/internal/petritest"
	"pnmc/petri"
	"pnmc/pnml"
)

// contestNet is a net of the contest, with the places that its first formula of
// ReachabilityCardinality looks at.
type contestNet struct {
	net       *petri.Net
	protected []bool
}

// contestNets reads the nets without colours of the core list.
func contestNets(b *testing.B) (nets []contestNet) {
	list, err := os.ReadFile(petritest.Shared(b, "mcc", "lists", "core.txt"))
	if err != nil {
		b.Fatal(err)
	}
	for lines := bufio.NewScanner(bytes.NewReader(list)); lines.Scan(); {
		if name := strings.TrimSpace(lines.Text()); strings.Contains(name, "-PT-") {
			nets = append(nets, readContestNet(b, name))
		}
	}
	return nets
}

func readContestNet(b *testing.B, name string) (read contestNet) {
	var formulas []byte
	for file, text := range petritest.Archive(b, petritest.Shared(b, "mcc", "inputs", name+".tgz")) {
		var err error
		switch path.Base(file) {
		case "model.pnml":
			read.net, err = pnml.Reader{}.Read(text, name)
		case "ReachabilityCardinality.xml":
			formulas, err = io.ReadAll(text)
		}
		if err != nil {
			b.Fatal(err)
		}
	}
	var properties struct {
		Property []struct {
			Inner string `xml:",innerxml"`
		} `xml:"property"`
	}
	if err := xml.Unmarshal(formulas, &properties); err != nil {
		b.Fatalf("%s: %v", name, err)
	}
	numbers := map[string]petri.Place{}
	for p := range petri.Place(read.net.Places()) {
		numbers[read.net.PlaceLabel(p).ID] = p
	}
	read.protected = make([]bool, read.net.Places())
	for _, part := range strings.Split(properties.Property[0].Inner, "<place>")[1:] {
		id, _, _ := strings.Cut(part, "</place>")
		p, known := numbers[strings.TrimSpace(id)]
		if !known {
			b.Fatalf("%s: there is no place %q", name, id)
		}
		read.protected[p] = true
	}
	return read
}

// rows are the rules of the table of docs/engines.md: each by itself, but for those that belong together.
func rows() (rows [][]string) {
	rows = [][]string{nil, {"idle transitions", "draining transitions", "irrelevant part"}}
	for _, r := range rules {
		if !slices.Contains(rows[1], r.name) && r.preserves != Counting {
			rows = append(rows, []string{r.name})
		}
	}
	return rows
}

// BenchmarkWithoutRule reduces 40 nets of the contest by all rules, and without those of each row of the
// table of docs/engines.md, and counts what is left. Reduced for deadlocks, nothing is protected.
func BenchmarkWithoutRule(b *testing.B) {
	nets := contestNets(b)
	all := slices.Clone(rules)
	for _, c := range []struct {
		name   string
		wanted Preserves
	}{{"deadlock", Deadlock}, {"reachability", Reachability}, {"ltl-x", Stuttering}, {"ctl-x", BranchingStuttering}} {
		for _, row := range rows() {
			b.Run("for="+c.name+"/without="+strings.ReplaceAll(strings.Join(row, ","), " ", "-"), func(b *testing.B) {
				defer copy(rules, all)
				for i, r := range rules {
					if slices.Contains(row, r.name) {
						rules[i].preserves &^= c.wanted
					}
				}
				nodes := 0
				for b.Loop() {
					nodes = 0
					for _, n := range nets {
						protected := n.protected
						if c.wanted == Deadlock {
							protected = nil
						}
						r, err := Apply(b.Context(), n.net, protected, c.wanted)
						if err != nil {
							b.Fatal(err)
						}
						nodes += r.Net.Places() + r.Net.Transitions()
					}
				}
				b.ReportMetric(float64(nodes), "nodes")
			})
		}
	}
}

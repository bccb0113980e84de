package chamber

import (
	"fmt"
	"maps"
	"math/big"
	"regexp"
	"slices"
	"strings"
	"time"

	"pnmc/internal/torture/draw"
	"pnmc/internal/torture/form"
	"pnmc/internal/torture/twin"
)

// global are the examinations without a property file.
var global = []string{"ReachabilityDeadlock", "OneSafe", "QuasiLiveness", "StableMarking", "Liveness"}

var withFile = []string{"UpperBounds", "ReachabilityCardinality", "ReachabilityFireability", "CTLCardinality", "CTLFireability",
	"LTLCardinality", "LTLFireability"}

var answerForm = regexp.MustCompile(`^(?:FORMULA|STATE_SPACE) (.+) (TRUE|FALSE|[0-9]+|\+inf|CANNOT_COMPUTE)(?: TECHNIQUES ` + techniquesForm + `)?$`)

// contestLine says what is wrong with a line of the contest's protocol.
func contestLine(line string) error {
	if line != "CANNOT_COMPUTE" && line != "DO_NOT_COMPETE" && !answerForm.MatchString(line) {
		return fmt.Errorf("it is no answer")
	}
	return nil
}

// contest runs the command mcc.
func (d *drawing) contest() {
	net := d.net()
	examination := draw.Pick(d.Source, withFile...)
	if slices.Contains(draw.NetKinds(), d.Kind) && d.Chance(0.5) {
		examination = draw.Pick(d.Source, append(global, "StateSpace")...)
	}
	asked := d.instance("", net, examination)
	d.argue("mcc", "--examination", examination)
	d.contestLimits("--time")
	d.argue("--memory", fmt.Sprint(d.megabytes()))
	d.orNot(0.3, "--seed", fmt.Sprint(d.Uint32()))
	d.orNot(0.2, "--without", draw.Pick(d.Source, techniques...))
	page := ""
	if d.Chance(0.25) {
		d.output("pages/", form.Page)
		d.argue("--trace", "pages")
		page = "pages"
	}
	d.Line = contestLine
	easy := d.isEasy(net)
	names := namesOf(examination, asked)
	d.Verdict = func(o *Outcome) []string {
		var given []verdict
		for line := range strings.Lines(string(o.Stdout)) {
			if m := answerForm.FindStringSubmatch(strings.TrimSpace(line)); m != nil && m[2] != "CANNOT_COMPUTE" {
				given = append(given, verdict{m[1], m[2]})
			}
		}
		list := append(doubled(given, nil), wrongAnswers(net, examination, asked, given)...)
		for _, v := range given {
			if len(names) > 0 && !slices.Contains(names, v.name) {
				list = append(list, "an answer to "+v.name+", which is not asked")
			}
		}
		if easy && o.Code == 0 {
			list = append(list, unanswered(net, examination, asked, names, given)...)
		}
		if page != "" {
			list = append(list, o.pagesIn(page, net.Twin, given)...)
		}
		return list
	}
}

// namesOf returns what an examination's answers are called, where asked are the formulas of its file, if it has one.
func namesOf(examination string, asked map[string]draw.Question) []string {
	switch {
	case examination == "StateSpace":
		return measures
	case slices.Contains(global, examination):
		return []string{examination}
	}
	return slices.Sorted(maps.Keys(asked))
}

// contestLimits draws a time in whole seconds, as the contest gives it.
func (d *drawing) contestLimits(flag string) {
	seconds := d.Between(1, 3)
	d.argue(flag, fmt.Sprint(seconds))
	d.Time += time.Duration(seconds) * time.Second
}

// instance adds the files of an instance to a folder, and returns what is asked.
func (d *drawing) instance(folder string, net *draw.Net, examinations ...string) map[string]draw.Question {
	d.file(folder+"model.pnml", net.Text)
	asked := map[string]draw.Question{}
	for _, examination := range examinations {
		if !slices.Contains(withFile, examination) {
			continue
		}
		kind := d.Kind
		if !slices.Contains(draw.PropertyKinds(), kind) {
			kind = "properties-small"
		}
		p := draw.NewProperties(d.Source, kind, examination, net)
		d.file(folder+examination+".xml", p.Text)
		for id, q := range p.Asked {
			asked[id] = q
		}
	}
	return asked
}

// doubled lists questions that were answered twice, or more often than asked, if that says more.
func doubled(given []verdict, asked map[string]int) (list []string) {
	answers := map[string]int{}
	for _, v := range given {
		if answers[v.name]++; answers[v.name] == 1+max(1, asked[v.name]) {
			list = append(list, v.name+" is answered twice")
		}
	}
	return list
}

// wrongAnswers compares answers with the twin's.
//
// The twin explores only so many markings, and what it may say depends on whether these are all.
// Example: it asks whether a place ever has 5 tokens. If one of its markings has, the answer is
// yes, whatever it has not seen. If none has, it is no only if the graph is whole; else the twin
// is silent, and any answer is taken. An upper bound needs all markings, or the tree of Karp and
// Miller, which has the same bounds and is finite for unbounded nets too. Formulas of LTL and CTL
// need the whole graph.
func wrongAnswers(net *draw.Net, examination string, asked map[string]draw.Question, given []verdict) (list []string) {
	if net.Twin == nil || len(given) == 0 {
		return nil
	}
	n := net.Twin
	graph := n.Explore(markings(len(n.Initial)))
	var cover [][]int64
	covered := false
	if !graph.Whole && len(n.Initial) <= 60 {
		cover, covered = n.Cover(2000)
	}
	for _, v := range given {
		expected := expectedAnswer(net, graph, examination, asked, v.name)
		switch q, isAsked := asked[v.name]; {
		case expected != "":
		case examination == "StateSpace":
			if covered && v.value != "+inf" && v.name == "STATES" && slices.ContainsFunc(cover, func(m []int64) bool { return slices.Contains(m, twin.Omega) }) {
				expected = "+inf"
			}
		case isAsked && q.Places != nil:
			expected = bound(n, graph, cover, covered, q.Places)
		}
		if expected != "" && expected != v.value {
			list = append(list, fmt.Sprintf("wrong verdict: %s is %s, and the twin says %s", v.name, v.value, expected))
		}
	}
	return list
}

func truth(b bool) string {
	if b {
		return "TRUE"
	}
	return "FALSE"
}

// decide returns the truth of a formula of an examination, or nothing. Of a part of the
// graph, what is reachable is known.
func decide(examination string, g *twin.Graph, f *twin.Formula) string {
	switch {
	case strings.HasPrefix(examination, "Reachability"):
		some := f.Op == twin.SomePath // else on all paths, always
		for i := range g.Markings {
			if g.Boolean(f.Left.Left, i) == some {
				return truth(some)
			}
		}
		if g.Whole {
			return truth(!some)
		}
	case !g.Whole:
	case strings.HasPrefix(examination, "LTL"):
		if violated, known := g.Kripke(f.Atoms()).Some(twin.Unary(twin.Not, f.Left), f.Atoms()); known {
			return truth(!violated)
		}
	default:
		return truth(g.CTL(f)[0])
	}
	return ""
}

// bound returns the most tokens that places have together, or nothing if not known.
func bound(n *twin.Net, g *twin.Graph, cover [][]int64, covered bool, places []string) string {
	markings := g.Markings
	if !g.Whole {
		if !covered {
			return ""
		}
		markings = cover
	}
	most := new(big.Int)
	for _, m := range markings {
		sum := new(big.Int)
		for _, name := range places {
			for _, p := range n.Places[name] {
				if m[p] == twin.Omega {
					return "+inf"
				}
				sum.Add(sum, big.NewInt(m[p]))
			}
		}
		if sum.Cmp(most) > 0 {
			most = sum
		}
	}
	return most.String()
}

// globalAnswer returns the truth of an examination without formulas, or nothing.
func globalAnswer(g *twin.Graph, net *draw.Net, examination string) string {
	n := net.Twin
	switch examination {
	case "ReachabilityDeadlock":
		for _, m := range g.Markings {
			if n.Deadlock(m) {
				return "TRUE"
			}
		}
		if g.Whole {
			return "FALSE"
		}
		return ""
	case "OneSafe":
		for _, name := range n.PlaceNames {
			if b := bound(n, g, nil, false, []string{name}); b != "" && b != "0" && b != "1" {
				return "FALSE"
			}
		}
		if g.Whole {
			return "TRUE"
		}
		return ""
	case "StableMarking":
		return stable(g)
	}
	if !g.Whole {
		return ""
	}
	for _, name := range n.TransitionNames {
		fireable := twin.Proposition(&twin.Atom{Fireable: []string{name}})
		asked := twin.Unary(twin.SomePath, twin.Unary(twin.Finally, fireable))
		if examination == "Liveness" {
			asked = twin.Unary(twin.AllPaths, twin.Unary(twin.Globally, asked))
		}
		if !g.CTL(asked)[0] {
			return "FALSE"
		}
	}
	return "TRUE"
}

// stable reports whether some place never changes, coloured ones taken as a whole.
func stable(g *twin.Graph) string {
	all := true
	for _, name := range g.Net.PlaceNames {
		total := func(m []int64) *big.Int {
			sum := new(big.Int)
			for _, p := range g.Net.Places[name] {
				sum.Add(sum, big.NewInt(m[p]))
			}
			return sum
		}
		first := total(g.Markings[0])
		changes := slices.ContainsFunc(g.Markings, func(m []int64) bool { return total(m).Cmp(first) != 0 })
		if !changes && g.Whole {
			return "TRUE"
		}
		all = all && changes
	}
	if all {
		return "FALSE"
	}
	return ""
}

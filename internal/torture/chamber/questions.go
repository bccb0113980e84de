package chamber

import (
	"bytes"
	"fmt"
	"html"
	"regexp"
	"slices"
	"strings"

	"pnmc/internal/torture/draw"
	"pnmc/internal/torture/twin"
)

// techniques are what --without can leave out.
var techniques = []string{"explicit", "decision-diagrams", "random-walk", "lp-approx", "structural-reduction", "topological",
	"query-reduction", "cpn-approx", "stubborn-sets", "explicit,random-walk"}

// question is what the main command is asked beside linear temporal logic: a flag, with a
// value or not, and the examination of the contest that asks the same.
type question struct {
	flag, value, examination string
	asked                    draw.Question
}

// questionName is what the question is called.
const questionName = "q"

// newQuestion draws a question about the net.
func (d *drawing) newQuestion(net *draw.Net) question {
	switch flag := draw.Pick(d.Source, "reachable", "invariant", "reachable", "invariant", "ctl", "ctl", "bound", "deadlock", "live", "quasi-live", "safe", "stable"); flag {
	case "reachable", "invariant":
		q := draw.NewQuestion(d.Source, "ReachabilityCardinality", net)
		paths, path := twin.SomePath, twin.Finally
		if flag == "invariant" {
			paths, path = twin.AllPaths, twin.Globally
		}
		state := q.Formula.Left.Left
		if d.Chance(0.15) {
			state = draw.Equivalences(d.Source, net)
		}
		q.Formula = twin.Unary(paths, twin.Unary(path, state))
		return question{flag, state.CTL(), "ReachabilityCardinality", q}
	case "bound":
		q := draw.NewQuestion(d.Source, "UpperBounds", net)
		if q.Places == nil {
			return question{"deadlock", "", "ReachabilityDeadlock", draw.Question{}}
		}
		return question{flag, "tokens(" + strings.Join(q.Places, ", ") + ")", "UpperBounds", q}
	case "ctl":
		q := draw.NewQuestion(d.Source, "CTLCardinality", net)
		if d.Chance(0.2) {
			q.Formula = draw.Alternating(d.Source, net, d.Between(2, 40))
		}
		return question{flag, q.Formula.CTL(), "CTLCardinality", q}
	default:
		return question{flag, "", map[string]string{"deadlock": "ReachabilityDeadlock", "live": "Liveness", "quasi-live": "QuasiLiveness",
			"safe": "OneSafe", "stable": "StableMarking"}[flag], draw.Question{}}
	}
}

// checkQuestions asks the main command a question, or those of a property file.
func (d *drawing) checkQuestions() {
	net := d.net()
	d.netFile(net)
	if slices.Contains(draw.PropertyKinds(), d.Kind) {
		d.queries(net)
		return
	}
	q := d.newQuestion(net)
	d.argue("--" + q.flag)
	if q.value != "" {
		d.argue(q.value)
	}
	d.argue("--name", questionName)
	d.orNot(0.4, "--por", draw.Pick(d.Source, "on", "off"))
	d.orNot(0.2, "--without", draw.Pick(d.Source, techniques...))
	d.orNot(0.3, "--threads", "1")
	d.orNot(0.3, "--seed", fmt.Sprint(d.Uint32()))
	traces := ""
	if d.Chance(0.7) {
		traces = d.output("trace.json", wholeJSON)
		d.argue("--trace", traces)
	} else {
		d.orNot(0.5, "--trace", d.output("run.html", wholePage))
	}
	d.timeLimit("--timeout", 1)
	d.memoryLimit()
	d.Line = verdictLine
	d.Verdict = func(o *Outcome) []string {
		list, decided := q.wrongVerdicts(net, o)
		if traces != "" && net.Twin != nil && len(decided) == 1 && o.Code <= 1 {
			list = append(list, q.refuteRuns(net.Twin, o, traces, decided[0].value)...)
		}
		return list
	}
}

// wrongVerdicts says what is wrong with the verdicts about a question, and returns those
// that decide it.
func (q question) wrongVerdicts(net *draw.Net, o *Outcome) (list []string, decided []verdict) {
	given := (&check{}).verdicts(o)
	list = doubled(given, nil)
	decided = slices.DeleteFunc(given, func(v verdict) bool { return v.value == "CANNOT_COMPUTE" })
	return append(list, wrongAnswers(net, q.examination, map[string]draw.Question{questionName: q.asked}, decided)...), decided
}

// view writes a page, about a question or none.
func (d *drawing) view() {
	net := d.net()
	d.argue("view", "-o", d.output("page.html", wholePage))
	d.timeLimit("--timeout", 1)
	d.memoryLimit()
	if d.Chance(0.6) {
		q := d.newQuestion(net)
		d.argue("--" + q.flag)
		if q.value != "" {
			d.argue(q.value)
		}
		d.argue("--name", questionName)
		d.Verdict = func(o *Outcome) []string {
			list, _ := q.wrongVerdicts(net, o)
			return list
		}
	}
	d.argue(d.file(net.File, net.Text))
	d.Line = verdictLine
}

// play reads a net, and perhaps runs of it, for a game that cannot begin: there is no
// terminal.
func (d *drawing) play() {
	d.argue("play")
	d.timeLimit("--timeout", 1)
	d.memoryLimit()
	net := d.net()
	d.argue(d.file(net.File, net.Text))
	if d.Chance(0.5) {
		d.argue(d.file("runs.json", []byte(draw.Pick(d.Source, "", "{", "[]", "null", `{"name":"x","prefix":[{"deadlock":true}],"cycle":[]}`,
			`{"name":"x","prefix":[{"transition":"t0","times":9000000000}],"cycle":[]}`, `{"name":"x","branches":[{"from":0,"at":-1,"prefix":null}]}`,
			`{"name":"x","trace":{"prefix":[{"transition":"t0"}],"cycle":[]}}`))))
	}
	d.Verdict = func(o *Outcome) []string {
		if o.Code == 0 {
			return []string{"a game was played without a terminal"}
		}
		return nil
	}
}

// wholePage reports whether a page has its end, which need not be </html>.
func wholePage(text []byte) error {
	if t := strings.TrimSpace(string(text)); !strings.HasSuffix(t, "</html>") && !strings.HasSuffix(t, "</script>") {
		return fmt.Errorf("it ends with neither </html> nor </script>")
	}
	return nil
}

// queries asks what a property file does.
func (d *drawing) queries(net *draw.Net) {
	examination := draw.Pick(d.Source, withFile...)
	p := draw.NewProperties(d.Source, d.Kind, examination, net)
	d.argue("--queries", d.file("queries.xml", p.Text))
	if n := bytes.Count(p.Text, []byte("<property>")); n <= manyProperties {
		d.timeLimit("--timeout", max(1, n))
	} else {
		d.timeLimit("--total-timeout", 1)
	}
	d.memoryLimit()
	d.orNot(0.3, "--trace", d.output("run.html", wholePage))
	d.Line = verdictLine
	d.Verdict = func(o *Outcome) []string {
		decided := slices.DeleteFunc((&check{}).verdicts(o), func(v verdict) bool { return v.value == "CANNOT_COMPUTE" })
		return append(doubled(decided, idsOf(p.Text)), wrongAnswers(net, examination, p.Asked, decided)...)
	}
}

// idsOf counts the ids of properties in a file: damage may have made two of them the same.
func idsOf(text []byte) map[string]int {
	count := map[string]int{}
	for _, m := range idForm.FindAllSubmatch(text, -1) {
		count[html.UnescapeString(string(m[1]))]++
	}
	return count
}

var idForm = regexp.MustCompile(`<id>([^<]*)</id>`)

// refuteRuns replays the run that shows a verdict, and looks at where it leads.
func (q question) refuteRuns(n *twin.Net, o *Outcome, traces, value string) (list []string) {
	text, err := o.file(traces)
	if err != nil {
		return []string{"no file of runs: " + err.Error()}
	}
	for line := range bytes.Lines(text) {
		t, err := twin.ReadTrace(line)
		if err != nil {
			return append(list, "run: "+err.Error())
		}
		_, m, err := t.Replay(n, nil)
		if err != nil {
			list = append(list, "run: "+err.Error())
		} else if problem := q.refuteMarking(n, m, value); problem != "" {
			list = append(list, fmt.Sprintf("run: it leads to %v, where %s", m, problem))
		}
	}
	return list
}

// refuteMarking says in what the marking does not show the verdict.
//
// A run that fires is not yet a proof. A deadlock must be one, a reachable predicate must hold
// where the run leads, and an invariant must fail there. For the verdict that a net is not live,
// some transition must be dead from there on, which the twin finds out by exploring from that
// marking. And the run for a bound must lead to as many tokens as the bound says.
func (q question) refuteMarking(n *twin.Net, m []int64, value string) string {
	here := &twin.Graph{Net: n, Markings: [][]int64{m}}
	switch {
	case q.flag == "deadlock" && value == "TRUE" && !n.Deadlock(m):
		return "something can fire"
	case q.flag == "reachable" && value == "TRUE" && !here.Boolean(q.asked.Formula.Left.Left, 0):
		return "the predicate is false"
	case q.flag == "invariant" && value == "FALSE" && here.Boolean(q.asked.Formula.Left.Left, 0):
		return "the predicate is true"
	case q.flag == "safe" && value == "FALSE":
		here.Whole = true
		if globalAnswer(here, &draw.Net{Twin: n}, "OneSafe") == "TRUE" {
			return "no place has two tokens"
		}
	case q.flag == "live" && value == "FALSE":
		from := *n
		from.Initial = m
		if globalAnswer(from.Explore(markings(len(m))), &draw.Net{Twin: &from}, "QuasiLiveness") == "TRUE" {
			return "every transition can still fire"
		}
	case q.flag == "bound" && value != "+inf":
		here.Whole = true
		if found := bound(n, here, nil, false, q.asked.Places); found != value {
			return "the sum is " + found
		}
	}
	return ""
}

package chamber

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"pnmc/internal/torture/draw"
	"pnmc/internal/torture/twin"
)

// techniques are what --without can leave out.
var techniques = []string{"explicit", "decision-diagrams", "random-walk", "lp-approx", "structural-reduction", "topological",
	"query-reduction", "cpn-approx", "stubborn-sets", "symmetries", "sat-smt", "explicit,random-walk"}

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
	if q.flag == "ctl" && d.Chance(0.3) {
		d.argue("--ctl-file", d.file("formulas.ctl", []byte("# a formula of CTL\n"+questionName+": "+q.value+"\n")))
	} else {
		d.ask(q)
	}
	d.orNot(0.4, "--por", draw.Pick(d.Source, "on", "off"))
	d.orNot(0.2, "--without", draw.Pick(d.Source, techniques...))
	d.orNot(0.3, "--threads", "1")
	d.orNot(0.3, "--seed", fmt.Sprint(d.Uint32()))
	k := &check{questions: 1}
	if d.Chance(0.85) {
		d.traceFlag(k)
	}
	if k.json = d.Chance(0.2); k.json {
		d.argue("--format", "json")
	}
	d.timeLimit("--timeout", 1)
	d.memoryLimit()
	d.Line = verdictLine
	if k.json {
		d.Line = jsonVerdict
	}
	easy := d.isEasy(net)
	d.Verdict = func(o *Outcome) []string {
		list, given := q.wrongVerdicts(net, k, o)
		if k.traces != "" && len(given) > 0 && o.Code <= 1 {
			list = append(list, q.wrongRuns(net, o, k.traces, given)...)
		}
		if easy && o.Code <= 2 && len(decided(given)) == 0 {
			list = append(list, unanswered(net, q.examination, map[string]draw.Question{questionName: q.asked}, []string{questionName}, nil)...)
		}
		return list
	}
}

// ask gives the program a question.
func (d *drawing) ask(q question) {
	d.argue("--" + q.flag)
	if q.value != "" {
		d.argue(q.value)
	}
	d.argue("--name", questionName)
}

// wrongVerdicts says what is wrong with the verdicts about a question, and returns them.
func (q question) wrongVerdicts(net *draw.Net, k *check, o *Outcome) (list []string, given []verdict) {
	given = k.verdicts(o)
	list = append(doubled(given, nil), k.lost(o, given)...)
	return append(list, wrongAnswers(net, q.examination, map[string]draw.Question{questionName: q.asked}, decided(given))...), given
}

// wrongRuns says what is wrong with the runs that show a verdict.
func (q question) wrongRuns(net *draw.Net, o *Outcome, traces string, given []verdict) []string {
	if filepath.Ext(traces) == ".html" {
		list := o.pageOf(traces, net.Twin, decided(given), true)
		if len(list) > 0 || net.Twin == nil || net.Coloured {
			return list
		}
	}
	runs, err := o.runsIn(traces, []string{questionName}, net.Twin)
	if err != nil {
		return []string{"no runs: " + err.Error()}
	}
	if net.Twin == nil {
		return nil
	}
	return q.refuteRuns(net.Twin, runs, given[0].value)
}

// refuteRuns replays the runs that show a verdict, and looks at where they lead.
func (q question) refuteRuns(n *twin.Net, runs []*twin.Trace, value string) (list []string) {
	for _, t := range runs {
		if len(t.Branches) > 0 {
			if err := t.ReplayBranches(n, nil); err != nil && !errors.Is(err, twin.ErrTooLong) {
				list = append(list, "run: "+err.Error())
			}
			continue
		}
		_, m, err := t.Replay(n, nil)
		if errors.Is(err, twin.ErrTooLong) {
			continue
		}
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

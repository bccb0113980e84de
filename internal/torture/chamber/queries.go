package chamber

import (
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"html"
	"io"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"pnmc/internal/torture/draw"
	"pnmc/internal/torture/twin"
)

// queries asks what a property file does.
func (d *drawing) queries(net *draw.Net) {
	examination := draw.Pick(d.Source, withFile...)
	p := draw.NewProperties(d.Source, d.Kind, examination, net)
	if p.Asked != nil && d.Chance(0.2) {
		d.tapaal(net, p)
	} else {
		d.argue("--queries", d.file("queries.xml", p.Text))
	}
	n := bytes.Count(p.Text, []byte("<property>"))
	if n <= manyProperties {
		d.timeLimit("--timeout", max(1, n))
	} else {
		d.timeLimit("--total-timeout", 1)
	}
	d.memoryLimit()
	k := &check{questions: n}
	if d.Kind == "properties-damaged" || d.Kind == "properties-long" {
		k.questions = -1
	}
	if d.Chance(0.7) {
		d.traceFlag(k)
	}
	d.Line = verdictLine
	d.Verdict = func(o *Outcome) []string {
		given := k.verdicts(o)
		list := k.lost(o, given)
		list = append(append(list, doubled(given, idsOf(p.Text))...), wrongAnswers(net, logicOf(examination, p.Asked), p.Asked, decided(given))...)
		if k.traces != "" && o.Code <= 1 {
			list = append(list, wrongRunsOf(net, o, k.traces, examination, p.Asked, given)...)
		}
		return list
	}
}

// logicOf returns the examination, or another one where a property file is not read by its name. pnmc says that a file with
// one temporal operator a formula, below its quantifier, is of branching time: AX holds in a deadlock there.
func logicOf(examination string, asked map[string]draw.Question) string {
	if !strings.HasPrefix(examination, "LTL") {
		return examination
	}
	for _, q := range asked {
		if q.Formula == nil || !isBranching(q.Formula) {
			return examination
		}
	}
	return "CTL" + strings.TrimPrefix(examination, "LTL")
}

// isBranching reports whether a formula of linear time is one of branching time as well.
func isBranching(f *twin.Formula) bool {
	switch f = f.Left; f.Op { // below the quantifier
	case twin.Next, twin.Finally, twin.Globally, twin.Until:
		return !isTemporal(f.Left) && !isTemporal(f.Right)
	}
	return false
}

// isTemporal reports whether a formula has a temporal operator.
func isTemporal(f *twin.Formula) bool {
	if f == nil {
		return false
	}
	switch f.Op {
	case twin.Next, twin.Finally, twin.Globally, twin.Until:
		return true
	}
	return isTemporal(f.Left) || isTemporal(f.Right)
}

// wrongRunsOf replays the runs that show verdicts about the questions of a file: each must be fired,
// and be about a question.
func wrongRunsOf(net *draw.Net, o *Outcome, traces, examination string, asked map[string]draw.Question, given []verdict) (list []string) {
	if filepath.Ext(traces) == ".html" {
		return o.pageOf(traces, net.Twin, decided(given), true)
	}
	var names []string
	for _, v := range given {
		names = append(names, v.name)
	}
	runs, err := o.runsIn(traces, names, net.Twin)
	if err != nil {
		return []string{"no runs: " + err.Error()}
	}
	for _, t := range runs {
		i := slices.Index(names, t.Name)
		if i < 0 {
			list = append(list, fmt.Sprintf("a run of %q, which is no question", t.Name+t.Title))
			continue
		}
		if net.Twin == nil {
			continue
		}
		if strings.HasPrefix(examination, "Reachability") && asked[t.Name].Formula != nil {
			flag := "reachable"
			if asked[t.Name].Formula.Op == twin.AllPaths {
				flag = "invariant"
			}
			q := question{flag: flag, asked: asked[t.Name]}
			list = append(list, q.refuteRuns(net.Twin, []*twin.Trace{t}, given[i].value)...)
		} else if err := t.ReplayBranches(net.Twin, nil); err != nil && !errors.Is(err, twin.ErrTooLong) {
			list = append(list, fmt.Sprintf("the run of %q: %v", t.Name, err))
		}
	}
	return list
}

// tapaal asks the same in a file as TAPAAL writes it, about one of several nets in a file.
func (d *drawing) tapaal(net *draw.Net, p *draw.Properties) {
	text := strings.Replace(string(p.Text), `<property-set xmlns="http://mcc.lip6.fr/">`, `<property-set xmlns="http://tapaal.net/">`, 1)
	d.argue("--queries", d.file("queries.xml", []byte(text)))
	if net.File == "net.pnml" && d.Kind != "net-damaged" && bytes.Contains(net.Text, []byte(`<net id="n"`)) {
		d.Files[net.File] = bytes.Replace(net.Text, []byte(`<net id="n"`), []byte(`<net id="other" type="http://www.pnml.org/version-2009/grammar/ptnet"><page id="alone"/></net><net id="n"`), 1)
		d.argue("--net", "n")
	}
}

// idsOf counts the ids of properties in a file: damage may have made two of them the same. Spaces around
// an id are none of it, and a tag may have some, too. The file may be compressed.
func idsOf(text []byte) map[string]int {
	if packed, err := gzip.NewReader(bytes.NewReader(text)); err == nil {
		text, _ = io.ReadAll(packed) // what of it is whole
	}
	count := map[string]int{}
	for _, m := range idForm.FindAllSubmatch(text, -1) {
		count[strings.TrimSpace(html.UnescapeString(string(m[1])))]++
	}
	return count
}

var idForm = regexp.MustCompile(`<id[^>]*>([^<]*)</id\s*>`)

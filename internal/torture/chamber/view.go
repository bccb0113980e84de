package chamber

import (
	"fmt"
	"os"
	"slices"
	"strings"

	"pnmc/internal/torture/draw"
	"pnmc/internal/torture/form"
	"pnmc/internal/torture/twin"
)

// view writes a page, about a question or none.
func (d *drawing) view() {
	net := d.net()
	d.argue("view", "-o", d.output("page.html", form.Page))
	d.timeLimit("--timeout", 1)
	d.memoryLimit()
	d.Line = verdictLine
	k := &check{questions: 0}
	if d.Chance(0.6) {
		k.questions = 1
		q := d.newQuestion(net)
		d.ask(q)
		d.Verdict = func(o *Outcome) []string {
			list, given := q.wrongVerdicts(net, k, o)
			if list = append(list, o.pageOf("page.html", net.Twin, given, o.Code <= 1)...); o.Code > 1 || len(given) != 1 || net.Twin == nil || net.Coloured {
				return list
			}
			text, _ := o.file("page.html")
			runs, _, _ := runsOnPage(text, net.Twin) // pageOf told what is wrong
			return append(list, q.refuteRuns(net.Twin, runs, given[0].value)...)
		}
	} else {
		d.Verdict = func(o *Outcome) []string { return o.pageOf("page.html", net.Twin, nil, o.Code <= 1) }
	}
	d.argue(d.file(net.File, net.Text))
}

// play plays a net in a terminal, with keys that are drawn, perhaps along runs; or there is no
// terminal, so that the game cannot begin.
func (d *drawing) play() {
	d.argue("play")
	d.timeLimit("--timeout", 1)
	d.memoryLimit()
	net := d.net()
	d.argue(d.file(net.File, net.Text))
	if d.Chance(0.5) {
		d.argue(d.file("runs.json", d.runs(net)))
	}
	// A vt100 is left out, as screens for it are drawn with the delays that it had.
	if _, err := os.Stat("/dev/ptmx"); err == nil && d.Chance(0.85) {
		d.Environment = append(d.Environment, "TERM="+draw.Pick(d.Source, "xterm-256color", "xterm-256color", "xterm", "linux", "dumb", ""))
		d.orNotEnvironment(0.2, "NO_COLOR=1")
		d.Keys = d.keys()
		d.Stdin = d.file("keys", []byte(d.Keys))
		d.Time += keysTime
		d.Stdout = func(o *Outcome) error { // a screen
			if len(o.Stdout) == 0 && o.Code == 0 {
				return fmt.Errorf("a game of which nothing was shown")
			}
			return nil
		}
		return
	}
	d.Verdict = func(o *Outcome) []string {
		if o.Code == 0 {
			return []string{"a game was played without a terminal"}
		}
		return nil
	}
}

// runs draws a file of runs: those that can be fired, as the net is known, or anything.
func (d *drawing) runs(net *draw.Net) []byte {
	if net.Twin == nil || net.Coloured || d.Chance(0.2) {
		return []byte(draw.Pick(d.Source, "", "{", "[]", "null", `{"name":"x","prefix":[{"deadlock":true}],"cycle":[]}`,
			`{"name":"x","prefix":[{"transition":"t0","times":9000000000}],"cycle":[]}`, `{"name":"x","branches":[{"from":0,"at":-1,"prefix":null}]}`,
			`{"name":"x","trace":{"prefix":[{"transition":"t0"}],"cycle":[]}}`))
	}
	var b strings.Builder
	for r := range d.Between(1, 3) {
		m := net.Twin.Initial
		var steps []string
		for range d.Magnitude(1, 60) {
			var enabled []int
			for t := range min(len(net.Twin.Inputs), 200) {
				if net.Twin.Enabled(m, t) {
					enabled = append(enabled, t)
				}
			}
			if len(enabled) == 0 {
				break
			}
			t := draw.Pick(d.Source, enabled...)
			next, err := net.Twin.Fire(m, t)
			if err != nil {
				break
			}
			m = next
			steps = append(steps, fmt.Sprintf(`{"transition":%q}`, net.Twin.TransitionNames[t]))
		}
		fmt.Fprintf(&b, `{"name":"r%d","kind":"reachable","verdict":"holds","prefix":[%s],"cycle":[]}`+"\n", r, strings.Join(steps, ","))
	}
	text := []byte(b.String())
	if d.Chance(0.2) {
		text = draw.Damage(d.Source, text)
	}
	return text
}

// keys draws what is pressed before the game is ended.
func (d *drawing) keys() string {
	all := []string{"\x1b[A", "\x1b[B", "\x1b[C", "\x1b[D", "\x1b[C", "\x1b[C", "\x1b[B", "\r", "\r", "\r", "u", "u", "?", "/", "p", "t", "n", "N", "c", "g", "G", "0", "9",
		"\x1b[5~", "\x1b[6~", "\x1b[H", "\x1b[F", "\t", " ", "\x7f", "\x1b", "h", "j", "k", "l", "r", "x", "é", "\x00", "\xff", "\x1b[200~paste\x1b[201~", "\x1b[999;999R", "\x0c"}
	var b strings.Builder
	for range d.Magnitude(1, 200) {
		b.WriteString(draw.Pick(d.Source, all...))
	}
	if d.Chance(0.1) {
		b.WriteString("\x03")
	}
	return b.String()
}

// orNotEnvironment adds a variable with a probability.
func (d *drawing) orNotEnvironment(probability float64, variable string) {
	if d.Chance(probability) {
		d.Environment = append(d.Environment, variable)
	}
}

// mostEasy is up to how many markings a net is easy.
const mostEasy = 200

// isEasy reports whether the questions about a net must be answered: the twin explores it in no
// time, and the limits that were drawn are not small.
func (d *drawing) isEasy(net *draw.Net) bool {
	return net.Twin != nil && !net.Coloured && len(net.Twin.Initial) <= 20 && d.Time >= easyTime && d.Memory >= easyMemory &&
		!slices.Contains(d.Arguments, "--without") && (net.Kind == "net-small" || net.Kind == "net-claims") && net.Twin.Explore(mostEasy).Whole
}

// Easy answers must come within so much.
const (
	easyTime   = 900_000_000
	easyMemory = 100 << 20
)

// unanswered lists the questions about an easy net that have no answer though the twin knows it. As a
// busy machine can be the reason, it says that they are late, so that they are asked again.
func unanswered(net *draw.Net, examination string, asked map[string]draw.Question, names []string, decided []verdict) (list []string) {
	for _, name := range names {
		if slices.ContainsFunc(decided, func(v verdict) bool { return v.name == name }) {
			continue
		}
		if expected := expectedAnswer(net, net.Twin.Explore(mostEasy), examination, asked, name); expected != "" {
			list = append(list, fmt.Sprintf(late+"lost answers: %s has none, and the twin says %s", name, expected))
		}
	}
	return list
}

// expectedAnswer returns what the twin answers, if it knows that from the graph.
func expectedAnswer(net *draw.Net, graph *twin.Graph, examination string, asked map[string]draw.Question, name string) string {
	switch q, isAsked := asked[name]; {
	case examination == "StateSpace" && graph.Whole:
		return measured(graph, 4)[name]
	case slices.Contains(global, examination):
		return globalAnswer(graph, net, examination)
	case isAsked && q.Places != nil:
		return bound(net.Twin, graph, nil, false, q.Places)
	case isAsked && q.Formula != nil:
		return decide(examination, graph, q.Formula)
	}
	return ""
}

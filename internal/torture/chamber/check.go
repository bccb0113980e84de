package chamber

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"

	"pnmc/internal/torture/draw"
	"pnmc/internal/torture/form"
	"pnmc/internal/torture/twin"
)

// check is a case of the main command: what it asks, and what the twin knows.
//
// The twin is a second checker that shares no code with the program: small, slow, and naive. It reads
// the same files. Where it can explore the whole net, each verdict is compared with its own. Where it
// can't, counterexamples are still fired in its net, step by step, and their words are put to its
// formula or automaton. A verdict that holds is then believed. Limits must be kept in any case, and
// the exit code must be the one that the verdicts lead to.
type check struct {
	net      *twin.Net // nil: nothing is known
	atoms    []*twin.Atom
	formulas map[string]*twin.Formula   // by the name of the property
	automata map[string]*twin.Automaton // of negated properties
	believed bool                       // an automaton's claims are, if not found false at a look
	traces   string                     // the file
	json     bool
	// questions are how many are asked, -1 if that is not known, as of a damaged file.
	questions int
	// prompt tells that the net is so small, and limits are so large, that answers must be known.
	prompt bool
}

var approaches = []string{"auto", "auto", "tgba", "ba", "ta", "tgta", "sym-tgba", "sym-tgta", "sym-slap"}

// approach draws one that can check the input, mostly.
func (d *drawing) approach() string {
	list := approaches
	switch {
	case d.Chance(0.03):
	case slices.Contains(d.Arguments, "--etf"):
		list = []string{"auto", "sym-tgba", "sym-tgta", "sym-slap"}
	case slices.Contains(d.Arguments, "--tgta"):
		list = []string{"auto", "auto", "tgta", "sym-tgta"}
	}
	return draw.Pick(d.Source, list...)
}

// manyProperties is from when on a limit of time is for all together.
const manyProperties = 4

// count returns how often a word stands in a text, which may be compressed.
func count(text []byte, word string) int {
	if r, err := gzip.NewReader(bytes.NewReader(text)); err == nil {
		text, _ = io.ReadAll(r) // what there is, where the end is missing
	}
	return bytes.Count(text, []byte(word))
}

// traceFlag draws a file for runs, in one of the forms that there are.
func (d *drawing) traceFlag(k *check) {
	switch d.IntN(5) {
	case 0:
		k.traces = d.output("trace.txt", form.Ended)
	case 1:
		if slices.Contains(d.Arguments, "--etf") {
			return // pages show nets
		}
		k.traces = d.output("run.html", form.Page)
	default:
		k.traces = d.output("trace.json", form.JSONLines)
	}
	d.argue("--trace", k.traces)
}

// checkFlags draws what checks have in common.
func (d *drawing) checkFlags(k *check, properties int) {
	approach := d.approach()
	symbolic := strings.HasPrefix(approach, "sym-")
	d.argue("--approach", approach)
	wild := d.Chance(0.03) // flags of other approaches, which are refused
	if wild || approach == "ta" || approach == "tgta" || approach == "sym-tgta" {
		d.orNot(0.3, "--built")
	}
	if wild || symbolic {
		d.orNot(0.2, "--saturation", "off")
	}
	if wild || !symbolic {
		d.orNot(0.2, "--por", draw.Pick(d.Source, "on", "off"))
	}
	if wild || symbolic && approach != "sym-slap" {
		d.orNot(0.2, "--state-variable", draw.Pick(d.Source, "log-top", "top", "log-bottom", "bottom"))
	}
	k.questions = properties
	if wild {
		k.questions = -1
	}
	k.believed = d.Chance(0.2)
	if k.believed {
		d.argue("--distrust=false")
	} else {
		d.orNot(0.2, "--distrust")
	}
	if properties <= manyProperties {
		d.timeLimit("--timeout", properties)
	} else {
		d.timeLimit("--total-timeout", 1)
	}
	d.memoryLimit()
	if d.Chance(0.8) {
		d.traceFlag(k)
	}
	k.json = d.Chance(0.3)
	if k.json {
		d.argue("--format", "json")
	}
	d.Line = verdictLine
	if k.json {
		d.Line = jsonVerdict
	}
	d.Verdict = k.problems
}

// techniquesForm are the words for techniques that an answer has.
const (
	techniqueForm  = `(?:EXPLICIT|STATE_COMPRESSION|DECISION_DIAGRAMS|RANDOM_WALK|LP_APPROX|STRUCTURAL_REDUCTION|TOPOLOGICAL|QUERY_REDUCTION|CPN_APPROX|STUBBORN_SETS|SYMMETRIES|SAT_SMT|INITIAL_STATE|UNFOLDING_TO_PT)`
	techniquesForm = techniqueForm + `(?: ` + techniqueForm + `)*`
)

var verdictForm = regexp.MustCompile(`^FORMULA (.*) (TRUE|FALSE|CANNOT_COMPUTE|[0-9]+|\+inf)(?: TECHNIQUES ` + techniquesForm + `)?$`)

// verdictLine checks a line of text: a verdict has techniques if and only if it is one.
func verdictLine(line string) error {
	if m := verdictForm.FindStringSubmatch(line); m == nil || (m[2] != "CANNOT_COMPUTE") != strings.Contains(line[len("FORMULA ")+len(m[1]):], " TECHNIQUES ") {
		return fmt.Errorf("it is no verdict")
	}
	return nil
}

// jsonVerdict checks that a line is a verdict in JSON: of the portfolio, or of one kind of automaton.
func jsonVerdict(line string) error {
	err := form.Object("name kind verdict reason techniques seconds peak_rss_bytes trace", "value ground states product_states")(line)
	if err == nil || form.Object("name verdict reason states transitions product_states product_transitions explored_states "+
		"explored_transitions label_cache_hits label_cache_last_hits label_cache_misses seconds peak_rss_bytes trace", "rounds peak_nodes")(line) == nil {
		var object struct{ Verdict string }
		if json.Unmarshal([]byte(line), &object) == nil && !slices.Contains([]string{"holds", "violated", "unknown", "value"}, object.Verdict) {
			return fmt.Errorf("its verdict is %q", object.Verdict)
		}
		return nil
	}
	return err
}

// verdict is what the program says of a property.
type verdict struct{ name, value string }

// verdicts reads standard output.
func (k *check) verdicts(o *Outcome) (list []verdict) {
	for line := range strings.Lines(string(o.Stdout)) {
		if !k.json {
			if m := verdictForm.FindStringSubmatch(strings.TrimSuffix(line, "\n")); m != nil {
				list = append(list, verdict{m[1], m[2]})
			}
			continue
		}
		var object struct {
			Name, Verdict string
			Value         json.RawMessage
		}
		if json.Unmarshal([]byte(line), &object) == nil {
			list = append(list, verdict{object.Name, valueOf(object.Verdict, strings.Trim(string(object.Value), `"`))})
		}
	}
	return list
}

// lost says which questions have no verdict, or too many. Each has exactly one, also if it could
// not be decided; only input that is refused has none, which exit code 4 tells.
func (k *check) lost(o *Outcome, verdicts []verdict) (list []string) {
	switch n := len(verdicts); {
	case o.Code < 0: // not known, or of another command
	case (o.Code == 2 || o.Code == 1) && n <= k.questions && endedReading(o): // the others are in what was not read, or not unfolded
	case o.Code == 2 && n == 0 && endedReading(o):
	case o.Code <= 2 && k.questions >= 0 && n != k.questions:
		list = append(list, fmt.Sprintf("lost answers: %d verdicts about %d questions, with exit code %d", n, k.questions, o.Code))
	case o.Code == 2 && n == 0:
		list = append(list, "lost answers: exit code 2 without a verdict, and no limit is told that ended the reading")
	case k.questions >= 0 && n > k.questions:
		list = append(list, fmt.Sprintf("%d verdicts about %d questions", n, k.questions))
	}
	return list
}

// endedReading reports whether standard error tells that a limit ended the reading of files.
func endedReading(o *Outcome) bool {
	return readingForm.Match(o.Stderr)
}

var readingForm = regexp.MustCompile(`(?m)^pnmc: .*(?:(?:limit|memory|MB|interrupted).*(?:read|unfold)|unfolded net is too large|unfolding not finished)`)

// problems returns what is wrong with verdicts, exit code and counterexamples. A verdict of the twin
// counts only if it has the whole graph and knows the answer; where an automaton's claims are
// believed, which may be false, no verdict is compared.
func (k *check) problems(o *Outcome) (list []string) {
	verdicts := k.verdicts(o)
	has := func(value string) bool {
		return slices.ContainsFunc(verdicts, func(v verdict) bool { return v.value == value })
	}
	switch violated, unknown := has("FALSE"), has("CANNOT_COMPUTE"); {
	case o.Code == 0 && (violated || unknown), o.Code == 1 && !violated, o.Code == 2 && (violated || !unknown && len(verdicts) > 0 && !endedReading(o)), o.Code == 3 && len(verdicts) > 0:
		list = append(list, fmt.Sprintf("exit code %d with the verdicts %v", o.Code, verdicts))
	}
	list = append(list, k.lost(o, verdicts)...)
	list = append(list, k.replay(o, verdicts)...)
	var graph *twin.Graph
	for _, v := range verdicts {
		formula, automaton := k.formulas[v.name], k.automata[v.name]
		if k.prompt && v.value == "CANNOT_COMPUTE" && formula != nil {
			list = append(list, fmt.Sprintf(late+"lost answers: %s has none, and the net is small", v.name))
		}
		if k.net == nil || v.value == "CANNOT_COMPUTE" || formula == nil && automaton == nil || k.believed {
			continue
		}
		if graph == nil {
			graph = k.net.Explore(markings(len(k.net.Initial)))
		}
		if !graph.Whole {
			break
		}
		system := graph.Kripke(k.atoms)
		violated, known := false, false
		if formula != nil {
			violated, known = system.Some(twin.Unary(twin.Not, formula), k.atoms)
		} else {
			violated, known = system.Accepted(automaton)
		}
		if known && violated != (v.value == "FALSE") {
			list = append(list, fmt.Sprintf("wrong verdict: %s is %s, and the twin says violated: %v", v.name, v.value, violated))
		}
	}
	return list
}

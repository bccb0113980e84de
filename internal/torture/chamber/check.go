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
}

var approaches = []string{"auto", "auto", "tgba", "ba", "ta", "tgta", "sym-tgba", "sym-tgta", "sym-slap"}

// manyProperties is from when on a limit of time is for all together.
const manyProperties = 4

// count returns how often a word stands in a text, which may be compressed.
func count(text []byte, word string) int {
	if r, err := gzip.NewReader(bytes.NewReader(text)); err == nil {
		text, _ = io.ReadAll(r) // what there is, where the end is missing
	}
	return bytes.Count(text, []byte(word))
}

// checkFlags draws what checks have in common.
func (d *drawing) checkFlags(k *check, properties int) {
	d.argue("--approach", draw.Pick(d.Source, approaches...))
	d.orNot(0.2, "--built")
	d.orNot(0.1, "--saturation", "off")
	d.orNot(0.2, "--por", draw.Pick(d.Source, "on", "off"))
	d.orNot(0.1, "--state-variable", draw.Pick(d.Source, "log-top", "top", "log-bottom", "bottom"))
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
	if d.Chance(0.7) {
		k.traces = d.output("trace.json", wholeJSON)
		d.argue("--trace", k.traces)
	} else if d.Chance(0.5) {
		d.orNot(0.6, "--trace", d.output("trace.txt", wholeLines))
	} else {
		d.orNot(0.6, "--trace", d.output("run.html", wholePage))
	}
	k.json = d.Chance(0.3)
	if k.json {
		d.argue("--format", "json")
	}
	d.Line = verdictLine
	if k.json {
		d.Line = jsonLine
	}
	d.Verdict = k.problems
}

var verdictForm = regexp.MustCompile(`^FORMULA (.*) (TRUE|FALSE|CANNOT_COMPUTE|[0-9]+|\+inf)(?: TECHNIQUES [A-Z_ ]+)?$`)

// verdictLine checks a line of text: a verdict has techniques if and only if it is one.
func verdictLine(line string) error {
	if m := verdictForm.FindStringSubmatch(line); m == nil || (m[2] != "CANNOT_COMPUTE") != strings.Contains(line[len("FORMULA ")+len(m[1]):], " TECHNIQUES ") {
		return fmt.Errorf("it is no verdict")
	}
	return nil
}

// jsonLine checks that a line is an object of JSON.
func jsonLine(line string) error {
	var object map[string]json.RawMessage // numbers may have thousands of digits
	return json.Unmarshal([]byte(line), &object)
}

// wholeLines checks that the last line of a text has its end.
func wholeLines(text []byte) error {
	if len(text) > 0 && text[len(text)-1] != '\n' {
		return fmt.Errorf("its last line is cut")
	}
	return nil
}

// wholeJSON checks that a text is one value of JSON a line.
func wholeJSON(text []byte) error {
	for line := range bytes.Lines(text) {
		if err := jsonLine(string(line)); err != nil {
			return err
		}
	}
	return wholeLines(text)
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
		var object struct{ Name, Verdict string }
		if json.Unmarshal([]byte(line), &object) == nil {
			list = append(list, verdict{object.Name, map[string]string{"holds": "TRUE", "violated": "FALSE", "unknown": "CANNOT_COMPUTE"}[object.Verdict]})
		}
	}
	return list
}

// problems returns what is wrong with verdicts, exit code and counterexamples. A verdict of the twin
// counts only if it has the whole graph and knows the answer; where an automaton's claims are
// believed, which may be false, no verdict is compared.
func (k *check) problems(o *Outcome) (list []string) {
	verdicts := k.verdicts(o)
	has := func(value string) bool {
		return slices.ContainsFunc(verdicts, func(v verdict) bool { return v.value == value })
	}
	switch violated, unknown := has("FALSE"), has("CANNOT_COMPUTE"); {
	case o.Code == 0 && (violated || unknown), o.Code == 1 && !violated, o.Code == 2 && violated, o.Code == 3 && len(verdicts) > 0:
		list = append(list, fmt.Sprintf("exit code %d with the verdicts %v", o.Code, verdicts))
	}
	list = append(list, k.replay(o, verdicts)...)
	var graph *twin.Graph
	for _, v := range verdicts {
		formula, automaton := k.formulas[v.name], k.automata[v.name]
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

// replay checks the counterexamples.
//
// Each verdict FALSE must have a counterexample, and nothing else may have one. It must fire on
// the net of the twin, and its run must violate the formula, or be accepted by the automaton of
// the negation. That is stronger than to compare verdicts: it also finds a right verdict with a
// wrong reason, and needs no state graph, so that it works for large nets.
func (k *check) replay(o *Outcome, verdicts []verdict) (list []string) {
	if k.traces == "" || o.Code > 2 {
		return nil
	}
	text, err := o.file(k.traces)
	decided := func(v verdict) bool { return v.value == "TRUE" || v.value == "FALSE" }
	if err != nil && o.Code == 2 && !slices.ContainsFunc(verdicts, decided) {
		return nil // a limit ended the reading of properties before any was decided
	}
	if err != nil {
		return []string{"no file of counterexamples: " + err.Error()}
	}
	var violated []string
	for _, v := range verdicts {
		if v.value == "FALSE" {
			violated = append(violated, v.name)
		}
	}
	for line := range bytes.Lines(text) {
		t, err := twin.ReadTrace(line)
		if err != nil {
			return append(list, "counterexample: "+err.Error())
		}
		i := slices.Index(violated, t.Name)
		if i < 0 {
			list = append(list, fmt.Sprintf("counterexample to %q, which is not violated", t.Name))
			continue
		}
		violated = slices.Delete(violated, i, i+1)
		if problem := k.refute(t); problem != "" {
			list = append(list, fmt.Sprintf("counterexample to %q: %s", t.Name, problem))
		}
	}
	if len(violated) > 0 {
		list = append(list, fmt.Sprintf("no counterexample to %q", violated))
	}
	return list
}

// refute fires a counterexample and checks that it is one. It returns what is wrong, or nothing.
func (k *check) refute(t *twin.Trace) string {
	if k.net == nil {
		return ""
	}
	word, _, err := t.Replay(k.net, k.atoms)
	if err != nil {
		return err.Error()
	}
	if word == nil {
		return ""
	}
	formula, automaton := k.formulas[t.Name], k.automata[t.Name]
	system := word.System()
	switch {
	case formula != nil:
		if violates, known := system.Some(twin.Unary(twin.Not, formula), k.atoms); known && !violates {
			return "its run satisfies the formula"
		}
	case automaton != nil && !k.believed:
		if accepted, known := system.Accepted(automaton); known && !accepted {
			return "the automaton does not accept its run"
		}
	}
	return ""
}

// checkFormulas runs the main command on formulas.
func (d *drawing) checkFormulas() {
	net := d.net()
	k := &check{net: net.Twin, formulas: map[string]*twin.Formula{}}
	d.netFile(net)
	k.atoms = draw.Atoms(d.Source, net, d.Between(1, 4))
	d.formulas(k)
}

// formulas draws formulas over the atoms, as arguments or in a file.
func (d *drawing) formulas(k *check) {
	kind := d.Kind
	if !slices.Contains(draw.FormulaKinds(), kind) {
		kind = "formula-small"
	}
	n := draw.Pick(d.Source, 1, 1, 1, 2, 4)
	inFile := d.Chance(0.5)
	var lines strings.Builder
	for i := range n {
		f := draw.NewFormula(d.Source, kind, k.atoms)
		name := fmt.Sprintf("f%d", i)
		if inFile || len(f.Text) > 100000 || i == 0 && n == 1 && d.Chance(0.5) {
			inFile = true
			fmt.Fprintf(&lines, "%s: %s\n", name, f.Text)
		} else {
			d.argue("--ltl", f.Text)
			name = f.Text
		}
		if f.Twin != nil {
			k.formulas[name] = f.Twin
		}
	}
	if inFile {
		path := d.file("formulas.ltl", []byte(lines.String()))
		if d.Chance(0.2) {
			d.Stdin, path = path, "-"
		}
		d.argue("--ltl-file", path)
		n += strings.Count(lines.String(), "\n") // damage may have made more of them
	}
	d.checkFlags(k, n)
}

// checkAutomata runs the main command on automata.
func (d *drawing) checkAutomata() {
	net := d.net()
	k := &check{net: net.Twin, atoms: draw.Atoms(d.Source, net, d.Between(0, 4))}
	d.netFile(net)
	kind := d.Kind
	if !slices.Contains(draw.AutomatonKinds(), kind) {
		kind = "automaton-small"
	}
	stream := draw.NewAutomata(d.Source, kind, k.atoms)
	k.automata = map[string]*twin.Automaton{}
	for _, a := range stream.Twins {
		k.automata[a.Name] = a
	}
	path := d.file("automata.hoa", stream.Text)
	if d.Chance(0.2) {
		d.Stdin, path = path, "-"
	}
	d.argue("--hoa", path)
	d.orNot(0.3, "--strict")
	d.checkFlags(k, max(1, count(stream.Text, "--BODY--")))
}

// checkDrawing runs the main command on drawings of testing automata.
func (d *drawing) checkDrawing() {
	net := d.net()
	kind := d.Kind
	if !slices.Contains(draw.DrawingKinds(), kind) {
		kind = "drawing-small"
	}
	d.netFile(net)
	text := draw.NewDrawing(d.Source, kind, draw.Atoms(d.Source, net, d.Between(1, 4)))
	d.argue("--tgta", d.file("automaton.dot", text))
	d.checkFlags(&check{net: net.Twin}, max(1, count(text, "digraph")))
}

// checkTable runs the main command on a model in ETF.
func (d *drawing) checkTable() {
	kind := d.Kind
	if !slices.Contains(draw.TableKinds(), kind) {
		kind = "table-small"
	}
	table := draw.NewTable(d.Source, kind)
	k := &check{formulas: map[string]*twin.Formula{}}
	d.argue("--etf", d.file("model.etf", table.Text))
	k.atoms = draw.Atoms(d.Source, table.Net, d.Between(1, 4))
	d.formulas(k)
	// Its firings have no names, so that counterexamples are not replayed.
	k.traces = ""
	if table.Net.Twin != nil {
		k.net = table.Net.Twin
	}
}

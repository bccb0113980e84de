package chamber

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"pnmc/internal/torture/draw"
	"pnmc/internal/torture/twin"
)

// checkFormulas runs the main command on formulas.
func (d *drawing) checkFormulas() {
	net := d.net()
	k := &check{net: net.Twin, formulas: map[string]*twin.Formula{}}
	d.netFile(net)
	k.atoms = draw.Atoms(d.Source, net, d.Between(1, 4))
	d.formulas(k)
	byAutomaton := slices.ContainsFunc([]string{"ta", "tgta", "sym-tgta", "sym-slap"}, func(x string) bool { return slices.Contains(d.Arguments, x) })
	k.prompt = d.isEasy(net) && !byAutomaton && !slices.Contains(d.Arguments, "--translator") // some have no automaton of the kind
	if k.prompt && k.questions > 0 {
		d.Verdict = func(o *Outcome) []string {
			list := k.problems(o)
			if o.Code == 2 && len(k.verdicts(o)) == 0 && len(k.formulas) == k.questions { // others may take long to read
				list = append(list, late+"lost answers: no verdict at all about a small net")
			}
			return list
		}
	}
}

// formulas draws formulas over the atoms, as arguments or in a file, in one of the syntaxes.
func (d *drawing) formulas(k *check) {
	kind := d.Kind
	if !slices.Contains(draw.FormulaKinds(), kind) {
		kind = "formula-small"
	}
	n := draw.Pick(d.Source, 1, 1, 1, 2, 4)
	if kind == "formula-small" && d.Chance(0.3) {
		d.opaque(k, n)
		return
	}
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
	}
	d.translator()
	if d.checkFlags(k, n); kind == "formula-damaged" || kind == "formula-long" {
		k.questions = -1 // damage may have made more or less of them
		d.Time *= time.Duration(max(1, min(strings.Count(lines.String(), "\n"), 20)))
	}
}

// opaque draws small formulas in one of the syntaxes, with opaque names for the atoms, whose meaning
// a file tells.
func (d *drawing) opaque(k *check, n int) {
	syntax := draw.Pick(d.Source, "spot", "spin", "lbt")
	names := map[*twin.Atom]string{}
	var meanings, lines strings.Builder
	meanings.WriteString("# what the names mean\n")
	for i, a := range k.atoms {
		names[a] = fmt.Sprintf("p%d", 100+i)
		fmt.Fprintf(&meanings, "%s: %s\n", names[a], a.Text())
	}
	for i := range n {
		f := draw.NewFormula(d.Source, "formula-small", k.atoms).Twin
		k.formulas[fmt.Sprintf("f%d", i)] = f
		fmt.Fprintf(&lines, "f%d: %s\n", i, f.In(syntax, names))
	}
	d.argue("--ltl-file", d.file("formulas.ltl", []byte(lines.String())), "--ltl-syntax", syntax)
	text := []byte(meanings.String())
	damaged := d.Chance(0.1)
	if damaged {
		text = draw.Damage(d.Source, text)
	}
	d.argue("--ap", d.file("names.ap", text))
	d.translator()
	d.checkFlags(k, n)
	if damaged {
		k.questions, k.formulas, k.net = -1, nil, nil
	}
}

// translator lets another program translate, sometimes: one that does it well, prints garbage,
// hangs, fails, or is not there.
func (d *drawing) translator() {
	if !d.Chance(0.12) {
		return
	}
	d.argue("--translator", draw.Pick(d.Source, d.program+" translate --timeout 300ms --max-memory 100MB %f", d.program+" translate --timeout 300ms --max-memory 100MB {}",
		`sh -c "echo garbage" %f`, `sh -c "sleep 100" %f`, `sh -c "exit 3" %f`, "no-such-program %f", `sh -c "printf 'HOA: v1 States: 1'" %f`, "echo", `sh -c "echo to me >&2; exit 1" %f`))
	d.argue("--translation-timeout", "300ms")
	d.Time += 4 * 300 * time.Millisecond
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
	if k.questions = len(stream.Twins); stream.Twins == nil {
		k.questions = -1
	}
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
	d.orNot(0.1, "--sets", fmt.Sprint(d.Between(0, 3)))
	k := &check{net: net.Twin}
	d.checkFlags(k, max(1, count(text, "digraph")))
	k.questions = -1
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
	if table.Net.Twin != nil {
		k.net = table.Net.Twin
	}
}

package chamber

import (
	"encoding/csv"
	"fmt"
	"slices"
	"strings"
	"time"

	"pnmc/internal/torture/draw"
	"pnmc/internal/torture/form"
	"pnmc/internal/torture/twin"
)

// With so much memory, and a net no longer than that, bench runs two processes side by side. With less it may.
const (
	sideBySideMemory = 200 << 20
	sideBySideNet    = 200 << 10
)

// bench runs the command of that name.
func (d *drawing) bench() {
	net := d.net()
	k := &check{questions: -1, net: net.Twin, formulas: map[string]*twin.Formula{}, automata: map[string]*twin.Automaton{}}
	d.argue("bench")
	d.netFile(net)
	k.atoms = draw.Atoms(d.Source, net, d.Between(1, 3))
	if slices.Contains(draw.AutomatonKinds(), d.Kind) {
		stream := draw.NewAutomata(d.Source, d.Kind, k.atoms)
		for _, a := range stream.Twins {
			k.automata[a.Name] = a
		}
		d.argue("--formulas", d.file("drawn.hoa", stream.Text))
	} else {
		kind := d.Kind
		if !slices.Contains(draw.FormulaKinds(), kind) {
			kind = "formula-small"
		}
		formula := draw.NewFormula(d.Source, kind, k.atoms)
		if formula.Twin != nil {
			k.formulas["f0"] = formula.Twin
		}
		d.argue("--formulas", d.file("drawn.ltl", []byte("f0: "+formula.Text+"\n")))
	}
	properties, approaches, again := 1, 2, 0 // how often a run is looked for with the time anew
	for _, text := range d.Files {
		properties = max(properties, count(text, "--BODY--"))
	}
	symbolic := d.Chance(0.3)
	if symbolic {
		d.argue("--approaches", "sym-tgba,sym-tgta", "--saturation", "on")
	} else {
		d.argue("--approaches", strings.Join([]string{draw.Pick(d.Source, "ba", "tgba"), draw.Pick(d.Source, "ta", "tgta")}, ","))
		if d.Chance(0.4) {
			d.argue("--report", d.output("report.html", form.Page))
			d.output("report-runs.html", form.Page)
			again = properties
		}
	}
	d.orNot(0.3, "--built")
	jobs := d.Between(1, 2)
	d.argue("--jobs", fmt.Sprint(jobs))
	each := 2 // a check, and a whole product, which has the time anew
	if d.Chance(0.5) {
		d.argue("--full=false")
		each = 1
	}
	d.orNot(0.1, "--lines", draw.Pick(d.Source, "1", "1-3", "1,2", "2", "0", "x", "3-1"))
	d.argue("-o", d.output("measured.csv", form.Table))
	// Properties are divided between the jobs, of which there are as many as can have enough memory, and each is measured by one
	// approach after the other; the state graph is explored within the time that a check has, and each formula is translated
	// once a job.
	d.memoryLimit()
	if d.Memory < sideBySideMemory || len(net.Text) > sideBySideNet {
		jobs = 1
	}
	turns := (properties + jobs - 1) / jobs * approaches * each
	if symbolic {
		turns++
	}
	d.timeLimit("--timeout", turns+again)
	d.argue("--translation-timeout", "200ms")
	d.Time += time.Duration(properties) * 200 * time.Millisecond
	d.Group = d.Memory
	spoiled := d.again("measured.csv")
	rows := properties * approaches
	if slices.Contains(d.Arguments, "--lines") || k.formulas["f0"] == nil && len(k.automata) != properties {
		rows = -1
	}
	onPage := net.Twin
	if net.Coloured {
		onPage = nil // the page has the unfolded net, whose names are others even for a single colour
	}
	d.Stdout = func(o *Outcome) error { return form.Report("bench")(o.Stdout) }
	d.Verdict = func(o *Outcome) []string {
		if spoiled {
			return nil
		}
		return append(k.measurements(o, rows), o.pageOf("report-runs.html", onPage, nil, false)...)
	}
}

// measurements compares the verdicts in the file with the twin's. There are so many, if that is
// known.
func (k *check) measurements(o *Outcome, expected int) (list []string) {
	text, err := o.file("measured.csv")
	if err != nil {
		if o.Code == 0 {
			list = append(list, err.Error())
		}
		return list
	}
	rows, _ := csv.NewReader(strings.NewReader(string(text))).ReadAll()
	if len(rows) == 0 {
		return list
	}
	name, value := slices.Index(rows[0], "formula"), slices.Index(rows[0], "verdict")
	if name < 0 || value < 0 {
		return append(list, "the measurements have no columns formula and verdict")
	}
	if n := len(rows) - 1; expected >= 0 && (o.Code == 0 && n != expected || n > expected) {
		list = append(list, fmt.Sprintf("lost answers: %d measurements of %d, with exit code %d", n, expected, o.Code))
	}
	var b strings.Builder
	for _, row := range rows[1:] {
		said := map[string]string{"holds": "TRUE", "violated": "FALSE", "unknown": "CANNOT_COMPUTE"}[row[value]]
		if said == "" {
			list = append(list, fmt.Sprintf("a measurement has the verdict %q", row[value]))
		} else if said != "CANNOT_COMPUTE" {
			fmt.Fprintf(&b, "FORMULA %s %s TECHNIQUES EXPLICIT\n", row[name], said)
		}
	}
	said := *o
	said.Stdout, said.Code = []byte(b.String()), -1 // the exit code of bench means something else
	return append(list, k.problems(&said)...)
}

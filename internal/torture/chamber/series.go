package chamber

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"pnmc/internal/torture/draw"
	"pnmc/internal/torture/twin"
)

// cross runs the command of that name: pnmc against itself, or against commands that
// hang, fail, or print too much or too little.
//
// An honest run compares two commands of the program itself, which never may differ. In the
// others one command is hostile: it sleeps, prints without end, ends at once, kills its group, or
// starts a child that outlives it. No verdict is expected there, but the program must end in
// time, and with whole files.
func (d *drawing) cross() {
	d.argue("cross")
	formula := draw.NewFormula(d.Source, d.Kind, draw.Letters(d.Between(1, 3)))
	if len(formula.Text) > 100000 || d.Chance(0.3) {
		d.argue("--formulas", d.file("formulas.ltl", []byte(formula.Text+"\n")))
	} else {
		d.argue("--formula", formula.Text)
	}
	memory := 100 // of translators, which count as what they are called by
	if d.Chance(0.6) {
		d.memoryLimit()
		memory = int(d.Memory >> 20)
	}
	called := fmt.Sprintf("%s translate --timeout 300ms --max-memory %dMB", d.program, memory)
	own := []string{called + " %f", called + " --to ba %f"}
	hostile := []string{"sleep 100", "false", "true", "yes", "cat /dev/zero", "no-such-command %f", "{cut}sh -c \"echo HOA: v1\"", "kill -9 0",
		"sh -c \"sleep 100 & wait\"", "{big}sh -c \"printf 'HOA: v1 AP: 0 States: 1 Acceptance: 0 t --BODY-- State: 0 '; yes '[t] 0'\""}
	translators := own
	honest := d.Chance(0.6)
	if !honest {
		translators = []string{draw.Pick(d.Source, own...), draw.Pick(d.Source, hostile...)}
	}
	translation := time.Duration(d.Magnitude(100, 1000)) * time.Millisecond
	check := time.Duration(d.Magnitude(100, 500)) * time.Millisecond
	d.argue("--timeout", translation.String(), "--check-timeout", check.String(), "--no-shrink")
	d.orNot(0.3, "--states", d.magnitudeText(1, 1000))
	d.orNot(0.3, "--complement", d.magnitudeText(1, 10000))
	d.orNot(0.5, "--csv", d.output("cross.csv", wholeLines))
	d.orNot(0.5, "--json", d.output("cross.json", wholeObject))
	// Two translations for each translator, and at most as many checks as there are
	// pairs of automata, with complements and state spaces.
	d.Time += 4*translation + 24*check
	d.argue("--")
	d.argue(translators...)
	d.Verdict = func(o *Outcome) []string {
		if o.Code == 1 && honest {
			return []string{"wrong verdict: pnmc differs from itself: " + firstLine(string(o.Stdout))}
		}
		return nil
	}
}

// wholeObject checks that a text is one value of JSON.
func wholeObject(text []byte) error {
	var object json.RawMessage // numbers may have thousands of digits
	return json.Unmarshal(text, &object)
}

// batch runs the command of that name on a folder with one instance or two.
func (d *drawing) batch() {
	net := d.net()
	examinations := []string{draw.Pick(d.Source, withFile...), draw.Pick(d.Source, append(global, "StateSpace")...)}
	asked := d.instance("models/Drawn-PT-1/", net, examinations...)
	jobs := d.Between(1, 2)
	d.argue("batch", "models", "--examinations", strings.Join(examinations, ","), "--jobs", fmt.Sprint(jobs), "--out", "results")
	seconds := d.Between(1, 2)
	d.argue("--time", fmt.Sprint(seconds), "--memory", fmt.Sprintf("%dMB", d.megabytes()))
	d.Time = time.Duration(2*seconds/jobs) * time.Second
	d.output("results/batch.json", wholeJSON)
	d.output("results/journal.jsonl", wholeJSON)
	d.output("results/answers.csv", wholeTable)
	d.output("results/runs.csv", wholeTable)
	d.output("results/report.html", wholePage)
	if d.Chance(0.4) {
		d.argue("--pages")
		d.output("results/pages/", wholePage)
	}
	d.Verdict = func(o *Outcome) (list []string) {
		text, err := o.file("results/journal.jsonl")
		if err != nil {
			if o.Code == 0 {
				list = append(list, err.Error())
			}
			return list
		}
		given := map[string][]verdict{}
		for line := range strings.Lines(string(text)) {
			var e struct{ Kind, Examination, Question, Value string }
			if json.Unmarshal([]byte(line), &e) == nil && e.Kind == "answer" {
				given[e.Examination] = append(given[e.Examination], verdict{e.Question, e.Value})
			}
		}
		for examination, answers := range given {
			list = append(append(list, doubled(answers, nil)...), wrongAnswers(net, examination, asked, answers)...)
		}
		return list
	}
}

// wholeTable checks that a text is comma-separated values with whole lines.
func wholeTable(text []byte) error {
	if _, err := csv.NewReader(strings.NewReader(string(text))).ReadAll(); err != nil {
		return err
	}
	return wholeLines(text)
}

// bench runs the command of that name.
func (d *drawing) bench() {
	net := d.net()
	k := &check{net: net.Twin, formulas: map[string]*twin.Formula{}, automata: map[string]*twin.Automaton{}}
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
	measurements := 2
	if d.Chance(0.3) {
		d.argue("--approaches", "sym-tgba,sym-tgta", "--saturation", "on")
	} else {
		d.argue("--approaches", strings.Join([]string{draw.Pick(d.Source, "ba", "tgba"), draw.Pick(d.Source, "ta", "tgta")}, ","))
		if d.Chance(0.4) {
			d.argue("--report", d.output("report.html", wholePage))
			d.output("report-runs.html", wholePage)
			measurements++ // a run is looked for with the time anew
		}
	}
	for _, text := range d.Files {
		measurements += 2 * count(text, "--BODY--")
	}
	d.argue("--jobs", fmt.Sprint(d.Between(1, 2)))
	d.orNot(0.5, "--full=false")
	d.argue("-o", d.output("measured.csv", wholeTable))
	// Translations and whole products have the time anew.
	d.timeLimit("--timeout", 3*measurements)
	d.argue("--translation-timeout", "200ms")
	d.memoryLimit()
	d.Verdict = k.measurements
}

// measurements compares the verdicts in the file with the twin's.
func (k *check) measurements(o *Outcome) (list []string) {
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

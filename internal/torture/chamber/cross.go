package chamber

import (
	"fmt"
	"slices"
	"time"

	"pnmc/internal/torture/draw"
	"pnmc/internal/torture/form"
)

// hostile are translators that hang, fail, or print too much or too little.
var hostile = []string{`sh -c "sleep 100" %f`, "false %f", "true %f", `sh -c yes %f`, `sh -c "cat /dev/zero" %f`, "no-such-command %f", `{cut}sh -c "echo HOA: v1" %f`,
	`sh -c "kill -9 0" %f`, `sh -c "sleep 100 & wait" %f`, `sh -c "echo to me >&2; exit 3" %f`, `sh -c "cat \"\$0\" >&2" %F`,
	`{big}sh -c "printf 'HOA: v1 AP: 0 States: 1 Acceptance: 0 t --BODY-- State: 0 '; yes '[t] 0'" %f`}

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
	d.orNot(0.5, "--csv", d.output("cross.csv", form.Table))
	d.orNot(0.5, "--json", d.output("cross.json", form.JSONText))
	// Two translations for each translator, and at most as many checks as there are
	// pairs of automata, with complements and state spaces.
	d.Time += 4*translation + 24*check
	inJSON := d.Chance(0.2)
	if inJSON {
		d.argue("--format", "json")
	}
	d.argue("--")
	d.argue(translators...)
	d.Stdout = func(o *Outcome) error {
		if len(o.Stdout) == 0 && (o.Code == 2 || o.Code >= 3) {
			return nil
		}
		if inJSON {
			return form.JSONText(o.Stdout)
		}
		return form.Report("cross")(o.Stdout)
	}
	d.Verdict = func(o *Outcome) (list []string) {
		if o.Code == 1 && honest {
			list = append(list, "wrong verdict: pnmc differs from itself: "+firstLine(string(o.Stdout)))
		}
		for _, name := range []string{"cross.csv", "cross.json"} {
			if _, err := o.file(name); err != nil && o.Code <= 2 && len(o.Stdout) > 0 && slices.Contains(d.Arguments, name) {
				list = append(list, err.Error())
			}
		}
		return list
	}
}

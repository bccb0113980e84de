package chamber

import (
	"fmt"
	"time"

	"pnmc/internal/torture/draw"
	"pnmc/internal/torture/form"
)

// hostile are translators that hang, fail, or print too much or too little. None makes an automaton.
var hostile = []string{`sh -c "sleep 100" %f`, "false %f", "true %f", `sh -c yes %f`, `sh -c "cat /dev/zero" %f`, "no-such-command %f", `{cut}sh -c "echo HOA: v1" %f`,
	`sh -c "kill -9 0" %f`, `sh -c "sleep 100 & wait" %f`, `sh -c "echo to me >&2; exit 3" %f`, `sh -c 'cat "$0" >&2' %F`,
	`{big}sh -c "printf 'HOA: v1 AP: 0 States: 1 Acceptance: 0 t --BODY-- State: 0 '; yes '[t] 0'" %f`}

// wrongName is what a translator is called that makes automata of other formulas.
const wrongName = "wrong"

// cross runs the command of that name: pnmc against itself, against a translator that is wrong, or
// against commands that hang, fail, or print too much or too little.
//
// An honest run compares two commands of the program itself, which never may differ. In others one
// command makes automata of other formulas: then a difference must be told, as far as it is certain
// that there is one, and nobody else may be called wrong. In the others one command is hostile: it
// sleeps, prints without end, ends at once, kills its group, or starts a child that outlives it. No
// difference is expected there, but the program must end in time, and with whole files. In all of them
// each translation must have its row.
func (d *drawing) cross() {
	d.argue("cross")
	atoms := draw.Letters(d.Between(1, 3))
	formula := draw.NewFormula(d.Source, d.Kind, atoms)
	k := &form.Comparison{Formulas: 1, Formula: formula.Twin, Atoms: atoms, Late: late}
	if d.Kind == "formula-damaged" || d.Kind == "formula-long" {
		k.Formulas = -1 // line breaks may have made more of one, or none
	}
	if len(formula.Text) > 100000 || d.Chance(0.3) {
		d.argue("--formulas", d.file("formulas.ltl", []byte(formula.Text+"\n")))
	} else {
		d.argue("--formula", formula.Text)
		k.Formulas = 1
	}
	memory := 100 // of translators, which count as what they are called by
	if d.Chance(0.6) {
		d.memoryLimit()
		memory = int(d.Memory >> 20)
	}
	called := fmt.Sprintf("%s translate --timeout 300ms --max-memory %dMB", d.program, memory)
	own := []string{called + " %f", called + " --to ba %f"}
	translators := own
	switch d.IntN(10) {
	case 0, 1, 2:
		k.Wrong = wrongName
		translators = []string{draw.Pick(d.Source, own...), d.wrongTranslator(k, called)}
	case 3, 4, 5:
		k.Hostile = draw.Pick(d.Source, hostile...)
		translators = []string{draw.Pick(d.Source, own...), k.Hostile}
	}
	k.Called(translators)
	translation := time.Duration(d.Magnitude(100, 1000)) * time.Millisecond
	check := time.Duration(d.Magnitude(100, 500)) * time.Millisecond
	d.argue("--timeout", translation.String(), "--check-timeout", check.String(), "--no-shrink")
	d.orNot(0.3, "--states", d.magnitudeText(1, 1000))
	d.orNot(0.3, "--complement", d.magnitudeText(1, 10000))
	if d.Chance(0.5) {
		k.CSV = d.output("cross.csv", form.Table)
		d.argue("--csv", k.CSV)
	}
	if d.Chance(0.5) {
		k.JSON = d.output("cross.json", form.JSONText)
		d.argue("--json", k.JSON)
	}
	// Two translations for each translator, and at most as many checks as there are
	// pairs of automata, with complements and state spaces.
	d.Time += 4*translation + 24*check
	if d.Chance(0.2) {
		k.InJSON = true
		d.argue("--format", "json")
	}
	d.argue("--")
	d.argue(translators...)
	d.Stdout = func(o *Outcome) error {
		if len(o.Stdout) == 0 && (o.Code == 2 || o.Code >= 3) {
			return nil
		}
		if k.InJSON {
			return form.JSONText(o.Stdout)
		}
		return form.Report("cross")(o.Stdout)
	}
	d.Verdict = func(o *Outcome) []string { return k.Problems(o.Code, o.Stdout, o.file) }
}

// wrongTranslator draws a translator that makes automata of other formulas: of the negation; of the same
// formula always; with W for U; or of the negation unless the formula is one. It tells k whether a word
// must show that: one that two automata accept which none has in common, so that no complement is needed.
//
// The negation of f and f itself do not both lack words. So a translator that negates shares a word with
// a right one: one that satisfies f, or one that does not.
func (d *drawing) wrongTranslator(k *form.Comparison, called string) string {
	formula := `"!($1)"`
	switch d.IntN(5) {
	case 0, 1:
		k.Certain = true
	case 2:
		letters := draw.Letters(d.Between(1, 3))
		other := draw.NewFormula(d.Source, "formula-small", letters).Twin
		formula = "'" + other.LTL() + "'"
		for range words { // a word that satisfies it is accepted for a formula and for its negation
			satisfies, known := randomWord(d.Source, len(letters)).System().Some(other, letters)
			k.Certain = k.Certain || satisfies && known
		}
	case 3:
		formula = `"$(printf %s "$1" | sed s/U/W/g)"`
	case 4:
		return "{" + wrongName + "}sh " + d.file("wrong.sh", []byte("case $1 in '!'*) exec "+called+" \"$1\";; esac\nexec "+called+" "+formula+"\n")) + " %f"
	}
	return "{" + wrongName + "}sh " + d.file("wrong.sh", []byte("exec "+called+" "+formula+"\n")) + " %f"
}

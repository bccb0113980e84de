package chamber

import (
	"bytes"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"pnmc/internal/torture/draw"
	"pnmc/internal/torture/form"
	"pnmc/internal/torture/twin"
)

// words is how many random words an automaton is tried on.
const words = 60

// randomWord draws a lasso over so many propositions.
func randomWord(s draw.Source, propositions int) twin.Word {
	letters := func(n int) (list []uint64) {
		for range n {
			list = append(list, s.Uint64N(1<<propositions))
		}
		return list
	}
	return twin.Word{Prefix: letters(s.IntN(4)), Cycle: letters(s.Between(1, 4))}
}

// endedAutomata checks automata on standard output, of which a limit may have cut some, as the exit
// code tells then. There are as many as are expected, if that is known, or less where some could
// not be made.
func endedAutomata(o *Outcome, expected int) error {
	whole, aborted, err := form.Automata(o.Stdout)
	switch {
	case err != nil:
		return err
	case aborted > 0 && o.Code != 2 && o.Code != 4:
		return fmt.Errorf("%d automata are cut, with exit code %d", aborted, o.Code)
	case expected >= 0 && (whole+aborted > expected || o.Code == 0 && whole < expected):
		return fmt.Errorf("lost answers: %d automata of %d, with exit code %d", whole+aborted, expected, o.Code)
	}
	return nil
}

// translate runs the command of that name.
func (d *drawing) translate() {
	d.argue("translate")
	atoms := draw.Letters(d.Between(1, 4))
	var formulas []*draw.Formula
	var lines strings.Builder
	for range draw.Pick(d.Source, 1, 1, 2) {
		f := draw.NewFormula(d.Source, d.Kind, atoms)
		formulas = append(formulas, f)
		lines.WriteString(f.Text + "\n")
	}
	if lines.Len() > 100000 || d.Chance(0.5) {
		d.argue("--ltl-file", d.file("formulas.ltl", []byte(lines.String())))
	} else {
		for _, f := range formulas {
			d.argue("--ltl", f.Text)
		}
	}
	kind := draw.Pick(d.Source, "tgba", "ba", "ta", "gta", "tgta")
	negate := d.Chance(0.3)
	d.argue("--to", kind)
	if negate {
		d.argue("--negate")
	}
	d.timeLimit("--timeout", max(1, strings.Count(lines.String(), "\n")))
	d.memoryLimit()
	d.orNot(0.3, "--one-line")
	expected := len(formulas)
	if d.Kind == "formula-damaged" || d.Kind == "formula-long" {
		expected = -1
	}
	long := slices.ContainsFunc(formulas, func(f *draw.Formula) bool { return f.Twin == nil })
	if d.Chance(0.1) {
		d.argue("--stats", "%s %e %t %a %g %c %i %x %k %d %p %m")
		d.Line = func(line string) error {
			if m := statsForm.FindStringSubmatch(line); m == nil || m[2] == "" && !long { // a formula of very many operators is no name
				return fmt.Errorf("it is no line of figures")
			}
			return nil
		}
		d.Verdict = func(o *Outcome) []string {
			if n := bytes.Count(o.Stdout, []byte("\n")); o.Code == 0 && expected >= 0 && n != expected {
				return []string{fmt.Sprintf("lost answers: %d lines of figures of %d formulas", n, expected)}
			}
			return nil
		}
		return
	}
	drawn := d.Chance(0.1)
	if drawn {
		d.argue("--format", "dot")
		d.Stdout = func(o *Outcome) error { return written("dot", o.Code, expected, o.Stdout) }
		return
	}
	d.Stdout = func(o *Outcome) error { return endedAutomata(o, expected) }
	d.Verdict = func(o *Outcome) []string {
		if o.Code != 0 || long {
			return nil
		}
		automata, err := twin.ReadAutomata(string(o.Stdout))
		if err != nil || len(automata) != len(formulas) {
			return []string{fmt.Sprintf("%d automata of %d formulas: %v", len(automata), len(formulas), err)}
		}
		for i, a := range automata {
			f := formulas[i].Twin
			if negate {
				f = twin.Unary(twin.Not, f)
			}
			if problem := d.sameWords(a, f, atoms); problem != "" {
				return []string{problem}
			}
		}
		return nil
	}
}

// statsForm is a line of --stats, whose condition and name at the ends may be any text; the name may be none.
var statsForm = regexp.MustCompile(`^[0-9]+ [0-9]+ [0-9]+ [0-9]+ \S.*( [0-9?]+){3} [a-z]+ [0-9?]+ [0-9?]+ (\S.*)?$`)

// sameWords tries an automaton and its formula on random words.
//
// Words are short lassos over few propositions, of which there are not many: 60 of them go
// through most states of a small automaton, and one mistake in a label or a mark mostly shows.
// The twin evaluates the formula on the word by its own tableau, and the automaton by its own
// product.
func (d *drawing) sameWords(a *twin.Automaton, f *twin.Formula, atoms []*twin.Atom) string {
	var names []string
	for _, x := range atoms {
		names = append(names, x.Name)
	}
	over, ok := a.Over(names)
	if !ok {
		return fmt.Sprintf("the automaton has propositions %q of %q", a.Propositions, names)
	}
	for range words {
		w := randomWord(d.Source, len(names))
		system := w.System()
		satisfies, known := system.Some(f, atoms)
		accepted, alsoKnown := system.Accepted(over)
		if known && alsoKnown && satisfies != accepted {
			return fmt.Sprintf("wrong verdict: the word %v satisfies %s: %v, and the automaton accepts it: %v", w, f.LTL(), satisfies, accepted)
		}
	}
	return ""
}

// convert runs the command of that name on any kind of input.
func (d *drawing) convert() {
	d.argue("convert")
	to := ""
	automata := -1
	switch kind := d.Kind; {
	case slices.Contains(draw.NetKinds(), kind):
		d.netFile(d.net())
		to = draw.Pick(d.Source, "pnml", "pnml-2004", "tina", "lola", "gal", "etf", "dot", "svg")
	case slices.Contains(draw.TableKinds(), kind):
		d.argue("--etf", d.file("model.etf", draw.NewTable(d.Source, kind).Text))
		to = draw.Pick(d.Source, "pnml", "etf", "dot", "svg")
	case slices.Contains(draw.DrawingKinds(), kind):
		d.argue("--tgta", d.file("automaton.dot", draw.NewDrawing(d.Source, kind, draw.Letters(d.Between(1, 4)))))
		to = draw.Pick(d.Source, "hoa", "dot", "svg", "tgta", "ta", "hoa", "tgba", "ba", "gta")
	default:
		to = draw.Pick(d.Source, "hoa", "dot", "svg", "tgba", "ba", "ta", "gta", "tgta")
		automata = d.convertAutomata(to)
	}
	d.argue("--to", to)
	d.Voluminous = to == "etf"
	many := 0
	for _, text := range d.Files {
		many += count(text, "--BODY--") + count(text, "digraph")
	}
	d.timeLimit("--timeout", max(1, many))
	d.memoryLimit()
	if d.Chance(0.3) {
		d.argue("-o", d.output("converted", func(text []byte) error { return written(to, 0, -1, text) }))
		d.Verdict = func(o *Outcome) []string {
			if _, err := o.file("converted"); err != nil && o.Code == 0 {
				return []string{err.Error()}
			}
			return nil
		}
		return
	}
	d.Stdout = func(o *Outcome) error {
		if len(o.Stdout) == 0 && o.Code != 0 {
			return nil
		}
		return written(to, o.Code, automata, o.Stdout)
	}
}

// written checks what convert writes in a format, with an exit code that may tell that a limit ended
// it in the middle. The number of automata may be known.
func written(to string, code, automata int, text []byte) error {
	switch to {
	case "hoa", "tgba", "ba", "ta", "gta", "tgta":
		return endedAutomata(&Outcome{Code: code, Stdout: text}, automata)
	case "dot":
		whole, cut, err := form.Drawings(text)
		if err == nil && (cut > 0 && code != 2 && code != 4 || whole == 0 && code == 0 || code == 0 && automata >= 0 && whole != automata) {
			err = fmt.Errorf("%d drawings are whole, and %d cut, with exit code %d", whole, cut, code)
		}
		return err
	case "svg":
		if code == 2 {
			return nil // what standard output has of a picture can't be taken back, and may end within a line
		}
		return form.Picture(text)
	case "pnml", "pnml-2004":
		if code == 2 {
			return form.Ended(text)
		}
		return form.PNML(text)
	}
	return form.Net(to, code != 2)(text)
}

// convertAutomata compares what small automata become with what they were.
//
// It returns how many there are, or -1 if that is not known.
func (d *drawing) convertAutomata(to string) int {
	atoms := draw.Letters(d.Between(0, 4))
	stream := draw.NewAutomata(d.Source, d.Kind, atoms)
	d.argue("--hoa", d.file("automata.hoa", stream.Text))
	d.orNot(0.2, "--strict")
	if stream.Twins == nil {
		return -1
	}
	if to == "dot" || to == "svg" {
		return len(stream.Twins)
	}
	var names []string
	for _, a := range atoms {
		names = append(names, a.Name)
	}
	d.Verdict = func(o *Outcome) []string {
		if o.Code != 0 {
			return nil
		}
		automata, err := twin.ReadAutomata(string(o.Stdout))
		if err != nil || len(automata) != len(stream.Twins) {
			return []string{fmt.Sprintf("%d automata of %d: %v", len(automata), len(stream.Twins), err)}
		}
		for i, a := range automata {
			over, ok := a.Over(names)
			if !ok {
				return []string{fmt.Sprintf("the automaton has propositions %q of %q", a.Propositions, names)}
			}
			for range words {
				w := randomWord(d.Source, len(names))
				x, known := w.System().Accepted(stream.Twins[i])
				y, alsoKnown := w.System().Accepted(over)
				if known && alsoKnown && x != y {
					return []string{fmt.Sprintf("wrong verdict: the word %v is accepted by automaton %d: %v, and by what it became: %v", w, i+1, x, y)}
				}
			}
		}
		return nil
	}
	return len(stream.Twins)
}

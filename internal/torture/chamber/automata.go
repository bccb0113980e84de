package chamber

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"

	"pnmc/internal/torture/draw"
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

// wholeAutomata reports whether text is automata to their ends.
func wholeAutomata(text []byte) error {
	if t := strings.TrimSpace(string(text)); t != "" && !strings.HasSuffix(t, "--END--") {
		return fmt.Errorf("its last automaton is cut")
	}
	return wholeLines(text)
}

// endedAutomata reports whether what was printed is automata to their ends, or, where a limit was
// reached, to where they are told to be cut.
func endedAutomata(o *Outcome) error {
	if o.Code == 2 && strings.HasSuffix(string(o.Stdout), "--ABORT--\n") {
		return nil
	}
	return wholeAutomata(o.Stdout)
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
	if d.Chance(0.1) {
		d.argue("--stats", "%s %e %t %a %g %c %i %x %k %d %p %m")
		return
	}
	d.Verdict = func(o *Outcome) []string {
		if err := endedAutomata(o); err != nil {
			return []string{err.Error()}
		}
		if d.Kind != "formula-small" || o.Code != 0 {
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
	whole := wholeLines
	switch kind := d.Kind; {
	case slices.Contains(draw.NetKinds(), kind):
		d.netFile(d.net())
		to = draw.Pick(d.Source, "pnml", "pnml-2004", "tina", "lola", "gal", "etf", "dot", "svg")
	case slices.Contains(draw.TableKinds(), kind):
		d.argue("--etf", d.file("model.etf", draw.NewTable(d.Source, kind).Text))
		to = draw.Pick(d.Source, "pnml", "etf", "dot", "svg")
	case slices.Contains(draw.DrawingKinds(), kind):
		d.argue("--tgta", d.file("automaton.dot", draw.NewDrawing(d.Source, kind, draw.Letters(d.Between(1, 4)))))
		to = draw.Pick(d.Source, "hoa", "dot", "svg", "tgba", "ba", "ta", "gta", "tgta")
	default:
		to = draw.Pick(d.Source, "hoa", "dot", "svg", "tgba", "ba", "ta", "gta", "tgta")
		d.convertAutomata(to)
	}
	if slices.Contains([]string{"hoa", "tgba", "ba", "ta", "gta", "tgta"}, to) {
		whole = wholeAutomata
	} else if to == "pnml" || to == "pnml-2004" {
		whole = wholeNet
	} else if to == "svg" {
		whole = wholePicture
	}
	d.argue("--to", to)
	d.Voluminous = to == "etf"
	automata := 0
	for _, text := range d.Files {
		automata += count(text, "--BODY--") + count(text, "digraph")
	}
	d.timeLimit("--timeout", max(1, automata))
	d.memoryLimit()
	if d.Chance(0.3) {
		d.argue("-o", d.output("converted", whole))
		d.Verdict = nil
	} else if d.Verdict == nil {
		d.Verdict = func(o *Outcome) []string {
			if len(o.Stdout) > 0 {
				check := whole
				if o.Code == 2 { // given up in the middle, at the end of a line
					check = wholeLines
				}
				if err := check(o.Stdout); err != nil {
					return []string{err.Error()}
				}
			}
			return nil
		}
	}
}

// convertAutomata compares what small automata become with what they were.
func (d *drawing) convertAutomata(to string) {
	atoms := draw.Letters(d.Between(0, 4))
	stream := draw.NewAutomata(d.Source, d.Kind, atoms)
	d.argue("--hoa", d.file("automata.hoa", stream.Text))
	d.orNot(0.2, "--strict")
	if to == "dot" || to == "svg" || stream.Twins == nil {
		return
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
}

// compare runs intersect, include or equivalent on two streams.
func (d *drawing) compare() {
	d.argue(d.Command)
	atoms := draw.Letters(d.Between(0, 3))
	first := draw.NewAutomata(d.Source, d.Kind, atoms)
	second := draw.NewAutomata(d.Source, draw.Pick(d.Source, d.Kind, "automaton-small"), atoms)
	pairs := count(first.Text, "--BODY--") * count(second.Text, "--BODY--")
	d.timeLimit("--timeout", max(1, pairs))
	d.memoryLimit()
	d.orNot(0.3, "--limit", d.magnitudeText(1, 1<<20))
	d.Line = func(line string) error {
		if strings.Trim(line, "01?") != "" {
			return fmt.Errorf("it has other characters than 0, 1 and ?")
		}
		return nil
	}
	if d.Chance(0.6) {
		d.argue("--word", "--format", "json")
		d.Line = jsonLine
	}
	d.argue(d.file("first.hoa", first.Text), d.file("second.hoa", second.Text))
	if first.Twins == nil || second.Twins == nil {
		return
	}
	d.Verdict = func(o *Outcome) (list []string) {
		for _, a := range answers(o) {
			if a.First < 1 || a.First > len(first.Twins) || a.Second < 1 || a.Second > len(second.Twins) {
				return append(list, fmt.Sprintf("an answer about automata %d and %d, which are not there", a.First, a.Second))
			}
			if problem := d.refuteAnswer(a, first.Twins[a.First-1], second.Twins[a.Second-1], atoms); problem != "" {
				list = append(list, fmt.Sprintf("wrong verdict: automata %d and %d: %s", a.First, a.Second, problem))
			}
		}
		return list
	}
}

// answer is what is said about two automata.
type answer struct {
	First, Second int
	Answer        *bool
	Word          string
}

// answers reads what intersect, include or equivalent print.
func answers(o *Outcome) (list []answer) {
	row := 0
	for line := range strings.Lines(string(o.Stdout)) {
		line = strings.TrimSpace(line)
		if strings.HasPrefix(line, "{") {
			var a answer
			if json.Unmarshal([]byte(line), &a) == nil && a.Answer != nil {
				list = append(list, a)
			}
			continue
		}
		row++
		for i := range len(line) {
			if line[i] != '?' {
				yes := line[i] == '1'
				list = append(list, answer{First: row, Second: i + 1, Answer: &yes})
			}
		}
	}
	return list
}

// refuteAnswer says what is wrong with an answer, as far as the word shown, random
// words and the intersection tell.
//
// Intersection is decided by the twin as a whole, as a product is easily made. Inclusion and
// equivalence would take a complement, which the twin cannot make: an answer "yes" is tried on
// random words, and "no" by the word that was shown. So a wrong "no" without a word stays unseen
// here.
func (d *drawing) refuteAnswer(a answer, x, y *twin.Automaton, atoms []*twin.Atom) string {
	if d.Command == "intersect" {
		if meets, known := x.Meets(y); known && meets != *a.Answer {
			return fmt.Sprintf("they meet: %v", meets)
		}
	}
	var tried []twin.Word
	if a.Word != "" {
		w, err := parseWord(a.Word, atoms)
		if err != nil {
			return fmt.Sprintf("the word %q: %v", a.Word, err)
		}
		inFirst, inSecond, known := bothAccept(w, x, y)
		asShown := map[string]bool{"intersect": inFirst && inSecond, "include": inFirst && !inSecond, "equivalent": inFirst != inSecond}
		if known && !asShown[d.Command] {
			return fmt.Sprintf("the word %q is accepted by the first: %v, by the second: %v", a.Word, inFirst, inSecond)
		}
	}
	if d.Command == "intersect" || !*a.Answer {
		return ""
	}
	for range words {
		tried = append(tried, randomWord(d.Source, len(atoms)))
	}
	for _, w := range tried {
		inFirst, inSecond, known := bothAccept(w, x, y)
		if known && (inFirst && !inSecond || d.Command == "equivalent" && inFirst != inSecond) {
			return fmt.Sprintf("the word %v is accepted by the first: %v, by the second: %v", w, inFirst, inSecond)
		}
	}
	return ""
}

// bothAccept returns which of two automata accept a word, if that is known of both.
func bothAccept(w twin.Word, x, y *twin.Automaton) (first, second, known bool) {
	first, known = w.System().Accepted(x)
	second, alsoKnown := w.System().Accepted(y)
	return first, second, known && alsoKnown
}

var wordForm = regexp.MustCompile(`^(?:(.*); )?cycle\{(.*)\}$`)

// parseWord reads a word such as a; cycle{!a&b; a}; what it leaves open is false.
func parseWord(text string, atoms []*twin.Atom) (w twin.Word, err error) {
	m := wordForm.FindStringSubmatch(text)
	if m == nil {
		return w, fmt.Errorf("it has no cycle")
	}
	letters := func(part string) (list []uint64) {
		for cube := range strings.SplitSeq(part, "; ") {
			letter := uint64(0)
			for literal := range strings.SplitSeq(cube, "&") {
				i := slices.IndexFunc(atoms, func(a *twin.Atom) bool { return a.Name == literal })
				if i >= 0 {
					letter |= 1 << i
				} else if literal != "t" && literal != "1" && !strings.HasPrefix(literal, "!") {
					err = fmt.Errorf("unknown letter %q", literal)
				}
			}
			list = append(list, letter)
		}
		return list
	}
	if m[1] != "" {
		w.Prefix = letters(m[1])
	}
	w.Cycle = letters(m[2])
	return w, err
}

// wholePicture checks a picture in SVG: that it is XML to its end.
func wholePicture(text []byte) error {
	for d := xml.NewDecoder(bytes.NewReader(text)); ; {
		if _, err := d.Token(); err == io.EOF {
			return wholeLines(text)
		} else if err != nil {
			return fmt.Errorf("a picture that is not XML: %w", err)
		}
	}
}

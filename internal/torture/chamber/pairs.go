package chamber

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"pnmc/internal/torture/draw"
	"pnmc/internal/torture/form"
	"pnmc/internal/torture/twin"
)

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
	d.Line = matrixLine
	if d.Chance(0.6) {
		d.argue("--word", "--format", "json")
		d.Line = form.Object("first second answer", "reason word")
	} else if d.Chance(0.3) {
		d.argue("--word")
	}
	d.argue(d.file("first.hoa", first.Text), d.file("second.hoa", second.Text))
	if first.Twins == nil || second.Twins == nil {
		return
	}
	d.Verdict = func(o *Outcome) (list []string) {
		if n := pairsAnswered(o); n != len(first.Twins)*len(second.Twins) && (o.Code <= 2 || n != 0) {
			list = append(list, fmt.Sprintf("lost answers: %d pairs of %d and %d automata, with exit code %d", n, len(first.Twins), len(second.Twins), o.Code))
		}
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

var wordLine = regexp.MustCompile(`^# [0-9]+ [0-9]+: (?:.+; )?cycle\{.+\}$`)

// matrixLine checks a line of answers, or one with a word.
func matrixLine(line string) error {
	if strings.Trim(line, "01?") != "" && !wordLine.MatchString(line) {
		return fmt.Errorf("it has other characters than 0, 1 and ?, and is no word")
	}
	return nil
}

// pairsAnswered counts the pairs about which something is said, be it that it is unknown.
func pairsAnswered(o *Outcome) (n int) {
	for line := range strings.Lines(string(o.Stdout)) {
		switch line = strings.TrimSpace(line); {
		case strings.HasPrefix(line, "{"):
			n++
		case !strings.HasPrefix(line, "#"):
			n += len(line)
		}
	}
	return n
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
		if strings.HasPrefix(line, "#") {
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

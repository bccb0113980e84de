package dot_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"

	"pnmc/automata"
	"pnmc/dot"
	"pnmc/hoa"
	"pnmc/internal/petritest"
	"pnmc/logic/ltl"
)

// sharedDrawings returns the drawings of Spot's ltl2tgta by flavour and line of
// formulas.ltl, and the formulas.
func sharedDrawings(t testing.TB) (drawings map[string][]string, formulas []string) {
	t.Helper()
	drawings = map[string][]string{}
	for name, file := range petritest.Archive(t, petritest.Shared(t, "tgta", "drawings.tgz")) {
		text, err := io.ReadAll(file)
		if err != nil {
			t.Fatal(err)
		}
		switch {
		case path.Base(name) == "formulas.ltl":
			formulas = strings.Split(strings.TrimSpace(string(text)), "\n")
		case path.Ext(name) == ".dot":
			var line int
			if _, err := fmt.Sscanf(path.Base(name), "%d.dot", &line); err != nil {
				t.Fatal(name, err)
			}
			flavour := path.Base(path.Dir(name))
			for len(drawings[flavour]) < line {
				drawings[flavour] = append(drawings[flavour], "")
			}
			drawings[flavour][line-1] = string(text)
		}
	}
	return drawings, formulas
}

// read reads the only automaton of some text.
func read(t testing.TB, text string) *automata.Automaton {
	t.Helper()
	all := readAll(t, text)
	if len(all) != 1 {
		t.Fatalf("%d automata in\n%s", len(all), text)
	}
	return all[0]
}

// Lines of Spot's drawings, for counts that share nothing with the reader.
var (
	anyState     = regexp.MustCompile(`(?m)^  -?\d+  ?\[label=`)
	hiddenState  = regexp.MustCompile(`(?m)^  -?\d+  ?\[label="", style=invis, height=0\]$`)
	initialState = regexp.MustCompile(`(?m)^  1 \[label=init\]$`)
	anyEdge      = regexp.MustCompile(`(?m)^  -?\d+ -> \d+ \[label=`) // the arrow to init has none
)

// TestSharedDrawings reads what Spot drew of each formula in each flavour: there must be
// as many states and edges as one counts in the text, and the language must be that of the
// formula.
func TestSharedDrawings(t *testing.T) {
	drawings, formulas := sharedDrawings(t)
	read, compared := 0, 0
	for i, text := range formulas {
		s := ltl.NewFormulas()
		f, err := ltl.Parse(text, s)
		if err != nil {
			t.Fatal(err)
		}
		compare := languageOf(t, s, f)
		known := map[string]bool{} // automata whose language was compared: some flavours draw the same one
		for flavour, texts := range drawings {
			a := readAll(t, texts[i])[0]
			read++
			states := len(anyState.FindAllString(texts[i], -1)) - len(hiddenState.FindAllString(texts[i], -1))
			edges := len(anyEdge.FindAllString(texts[i], -1))
			if !initialState.MatchString(texts[i]) {
				states++ // for several
			}
			if a.Kind == automata.TA {
				edges += states - 1 // loops, which are implicit in the drawing
			}
			if a.States() != states || a.Edges() != edges {
				t.Errorf("%s of formula %d: %d states and %d edges, one counts %d and %d", flavour, i+1, a.States(), a.Edges(), states, edges)
			}
			if testing.Short() && i%8 > 0 {
				continue
			}
			var automaton strings.Builder
			if err := hoa.Write(context.Background(), &automaton, a, hoa.Options{}); err != nil {
				t.Fatal(err)
			}
			if known[automaton.String()] {
				continue
			}
			known[automaton.String()] = true
			compared++
			if err := compare(a); err != nil {
				t.Errorf("%s of formula %d, %s: %v", flavour, i+1, text, err)
			}
		}
	}
	t.Logf("%d drawings, %d automata", read, compared)
	if read != 9*129 || compared < 4*129/8 {
		t.Errorf("%d drawings, %d automata compared", read, compared)
	}
}

// TestSharedDrawingsAgain draws what Spot drew again, which must be the same automaton,
// and, but for a few things that have no meaning, the same text.
func TestSharedDrawingsAgain(t *testing.T) {
	drawings, formulas := sharedDrawings(t)
	same := map[string]int{}
	for flavour, texts := range drawings {
		for i, text := range texts {
			a := read(t, text)
			again := drawAndRead(t, a)
			var before, after bytes.Buffer
			if err := errors.Join(hoa.Write(context.Background(), &before, a, hoa.Options{}), hoa.Write(context.Background(), &after, again, hoa.Options{})); err != nil {
				t.Fatal(err)
			}
			if before.String() != after.String() {
				t.Errorf("%s of formula %d: another automaton when drawn and read:\n%s\n%s", flavour, i+1, &before, &after)
			}
			var drawn strings.Builder
			o := dot.Style{UTF8: flavour == "tgta-8", Generalized: strings.HasPrefix(flavour, "gta")}
			if err := o.Write(context.Background(), &drawn, a); err != nil {
				t.Fatal(err)
			}
			if withoutMeaningless(drawn.String()) == withoutMeaningless(text) {
				same[flavour]++
			}
		}
	}
	// Differences remain where a comment has to say what is meant (of formula 114), in GTA
	// without acceptance sets (36), and with several initial states.
	for flavour, want := range map[string]int{
		"tgta": 129, "tgta-8": 129, "tgta-multiple-init": 129,
		"ta": 128, "ta-single-pass": 128, "ta-single-pass-lv": 128, "gta": 93, "gta-single-pass-lv": 93,
	} {
		if same[flavour] != want {
			t.Errorf("%s: %d of %d drawings are as Spot's, want %d", flavour, same[flavour], len(formulas), want)
		}
	}
}

var (
	changes = regexp.MustCompile(`label="\{.+\}\\n`)
	member  = regexp.MustCompile(`\\"(\\\\\\"|[^"])*\\"|[^", ]+`)
)

// withoutMeaningless returns a drawing with the members of changesets in some order, and
// without the double borders of states that nothing leaves.
func withoutMeaningless(drawing string) string {
	lines := strings.Split(drawing, "\n")
	for i, line := range lines {
		lines[i] = changes.ReplaceAllStringFunc(line, func(label string) string {
			inside := strings.TrimSuffix(strings.TrimPrefix(label, `label="{`), `}\n`)
			members := member.FindAllString(inside, -1)
			slices.Sort(members)
			return `label="{` + strings.Join(members, ", ") + `}\n`
		})
		if !strings.Contains(line, "->") && !strings.Contains(lines[min(i+1, len(lines)-1)], "->") {
			lines[i] = strings.Replace(line, ",peripheries=2", "", 1)
		}
	}
	return strings.Join(lines, "\n")
}

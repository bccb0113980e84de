package cross

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"testing"
	"time"

	"pnmc/automata"
	"pnmc/automata/translate"
	"pnmc/hoa"
	"pnmc/internal/account"
	"pnmc/logic"
	"pnmc/logic/ltl"
)

// asTranslator, set in the environment, makes the test program a translator.
const asTranslator = "PNMC_CROSS_TEST_TRANSLATOR"

func TestMain(m *testing.M) {
	switch os.Getenv(asTranslator) {
	case "":
		os.Exit(m.Run())
	case "right":
		s := ltl.NewFormulas()
		f, err := ltl.Parse(os.Args[len(os.Args)-1], s)
		if err == nil {
			var a *automata.Automaton
			if a, err = translate.ToAutomaton(context.Background(), s, f, translate.Options{}); err == nil {
				err = hoa.Write(context.Background(), os.Stdout, a, hoa.Options{})
			}
		}
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
	case "hang":
		time.Sleep(time.Minute)
	case "rubbish":
		fmt.Println("HOA: v1 States: many")
	case "endless", "long name":
		if os.Getenv(asTranslator) == "long name" {
			fmt.Print("HOA: v1 name: \"")
		}
		for line := bytes.Repeat([]byte("y"), 1<<16); ; {
			if _, err := os.Stdout.Write(line); err != nil {
				os.Exit(1)
			}
		}
	case "two":
		for range 2 {
			fmt.Println("HOA: v1 Acceptance: 0 f --BODY-- --END--")
		}
	case "crash":
		fmt.Fprintln(os.Stderr, "out of luck")
		os.Exit(7)
	}
}

// self returns the command line of this program as a translator; environment variables
// choose what it does.
func self(t *testing.T) string {
	t.Helper()
	path, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	return "'" + path + "'"
}

func parseAll(t *testing.T, lines ...string) (*ltl.Formulas, []Formula) {
	t.Helper()
	s := ltl.NewFormulas()
	var all []Formula
	for _, line := range lines {
		f, err := ltl.Parse(line, s)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, Formula{Formula: f})
	}
	return s, all
}

func toAutomaton(ctx context.Context, s *ltl.Formulas, f *ltl.Formula) (*automata.Automaton, error) {
	return translate.ToAutomaton(ctx, s, f, translate.Options{})
}

var (
	ours = Function("ours", toAutomaton)
	// wrong takes U for W.
	wrong = Function("wrong", func(ctx context.Context, s *ltl.Formulas, f *ltl.Formula) (*automata.Automaton, error) {
		return toAutomaton(ctx, s, replaceUntil(s, f))
	})
	// partial loses the acceptance condition: every infinite run is accepted.
	partial = Function("partial", func(ctx context.Context, s *ltl.Formulas, f *ltl.Formula) (*automata.Automaton, error) {
		a, err := toAutomaton(ctx, s, f)
		if err == nil {
			a.Acceptance = automata.Acceptance{Sets: a.Acceptance.Sets, Condition: &automata.Condition{Operator: automata.ConditionTrue}}
		}
		return a, err
	})
	// empty accepts nothing, which no intersection shows.
	empty = Function("empty", func(context.Context, *ltl.Formulas, *ltl.Formula) (*automata.Automaton, error) {
		return automata.NewBuilder(nil, automata.GeneralizedBuchi(0)).Build()
	})
)

func replaceUntil(s *ltl.Formulas, f *ltl.Formula) *ltl.Formula {
	if f.Operator() == ltl.Atom {
		return f
	}
	operands := make([]*ltl.Formula, len(f.Operands()))
	for i, o := range f.Operands() {
		operands[i] = replaceUntil(s, o)
	}
	switch f.Operator() {
	case logic.True:
		return s.True()
	case ltl.Until:
		return s.WeakUntil(operands[0], operands[1])
	}
	return s.Make(f.Operator(), operands)
}

func defaultSettings() Settings {
	return Settings{Spaces: 1, States: 50, Density: 0.1, ComplementLimit: 1000, CheckLimit: time.Minute, Timeout: time.Minute, Shrink: true}
}

func TestRunFindsTheWrongTranslator(t *testing.T) {
	for _, test := range []struct {
		name     string
		against  Translator
		formula  string
		minimal  string
		complete bool // no space needed
	}{
		{"until taken for weak until", wrong, "G(a -> (b U (c & X d))) | F(d U b)", "a U b", true},
		{"acceptance lost", partial, "G(c -> F(a & b))", "", true},
		{"nothing accepted", empty, "(a U b) & GFc", "", false},
	} {
		t.Run(test.name, func(t *testing.T) {
			s, formulas := parseAll(t, test.formula)
			settings, translated := defaultSettings(), 0
			settings.Translated = func(number, of int) {
				if translated++; number != translated || of != 4 {
					t.Errorf("%d of %d translations, the %dth time", number, of, translated)
				}
			}
			r, err := Run(context.Background(), s, formulas, []Translator{ours, test.against}, settings)
			if translated != 4 {
				t.Errorf("%d translations told", translated)
			}
			if err != nil || len(r.Differences) == 0 {
				t.Fatalf("%d differences, error %v", len(r.Differences), err)
			}
			for _, d := range r.Differences {
				if d.Minimal == "" || len(d.Minimal) > len(test.formula) {
					t.Errorf("%s: not shrunk: %q", d.Check, d.Minimal)
				}
				if test.minimal != "" && strings.Map(onlyShape, d.Minimal) != strings.Map(onlyShape, test.minimal) && d.Check == CheckIntersection {
					t.Errorf("%s: shrunk to %q, want one like %q", d.Check, d.Minimal, test.minimal)
				}
				if d.Word != nil && (len(d.Wrong) != 1 || d.Wrong[0] != test.against.Name()) {
					t.Errorf("%s: %v are blamed for %s", d.Check, d.Wrong, d.Word)
				}
			}
		})
	}
}

// onlyShape makes all names of propositions one.
func onlyShape(r rune) rune {
	if 'a' <= r && r <= 'z' {
		return 'a'
	}
	return r
}

func TestRunRaisesNoFalseAlarm(t *testing.T) {
	s, formulas := parseAll(t, "GFa -> GFb", "a U (b R c)", "F(a & X(b W !a))", "G(a -> XXb) xor Fc", "(a M b) <-> GFa", "true", "0")
	degeneral := Function("degeneralized", func(ctx context.Context, s *ltl.Formulas, f *ltl.Formula) (*automata.Automaton, error) {
		a, err := toAutomaton(ctx, s, f)
		if err != nil {
			return nil, err
		}
		// The product with an automaton for true: the same words.
		return automata.Product(context.Background(), a, a)
	})
	settings := defaultSettings()
	settings.System = func(_ context.Context, a *automata.Automaton, _ []string) (*SystemRun, error) {
		if accepts, err := automata.HasAcceptingCycle(context.Background(), a); err == nil && !accepts {
			return nil, nil
		}
		return &SystemRun{Cycle: []string{"step"}}, nil
	}
	r, err := Run(context.Background(), s, formulas, []Translator{ours, degeneral}, settings)
	if err != nil || len(r.Differences) > 0 || r.Failures() > 0 {
		t.Fatalf("%d differences, %d failures, error %v", len(r.Differences), r.Failures(), err)
	}
	if len(r.Rows) != 4*len(formulas) || r.Checks < 10*len(formulas) {
		t.Errorf("%d rows, %d checks", len(r.Rows), r.Checks)
	}
}

func TestRunFindsDifferencesOnASystem(t *testing.T) {
	s, formulas := parseAll(t, "Fa")
	// A system with a single run, which never has a.
	settings := Settings{Shrink: true, System: func(_ context.Context, a *automata.Automaton, names []string) (*SystemRun, error) {
		word := automata.Lasso{Propositions: names, Cycle: []automata.Valuation{{0}}}
		if accepted, err := automata.Accepts(a, word); err != nil || !accepted {
			return nil, err
		}
		return &SystemRun{Prefix: []string{"start"}, Cycle: []string{"step", "back"}, Word: &word}, nil
	}}
	r, err := Run(context.Background(), s, formulas, []Translator{ours, empty}, settings)
	if err != nil {
		t.Fatal(err)
	}
	onSystem := map[string]bool{}
	for _, d := range r.Differences {
		if d.Check == CheckSystem {
			onSystem[d.Left+" "+d.Right] = true
			if d.Satisfied == nil || *d.Satisfied || strings.Join(d.Wrong, " ") != "empty" {
				t.Errorf("%+v", d)
			}
		}
	}
	if len(onSystem) != 2 || !onSystem["empty empty"] || !onSystem["ours empty"] {
		t.Errorf("differences on the system between %v", onSystem)
	}
	var text bytes.Buffer
	if err := r.WriteText(&text); err != nil || strings.Count(text.String(), "  run start; cycle{step; back}\n") != 2 {
		t.Errorf("%v: the run is not shown in\n%s", err, text.String())
	}
}

func TestTranslatorsThatFailAreRows(t *testing.T) {
	c, err := ParseCommand("{it} " + self(t) + " %f")
	if err != nil {
		t.Fatal(err)
	}
	missing, err := ParseCommand("/nonexistent/translator %f")
	if err != nil {
		t.Fatal(err)
	}
	for mode, status := range map[string]string{"right": "ok", "hang": "timeout", "rubbish": "rubbish", "crash": "crash",
		"endless": "rubbish", "long name": "rubbish", "two": "rubbish"} {
		t.Run(mode, func(t *testing.T) {
			t.Setenv(asTranslator, mode)
			s, formulas := parseAll(t, "a U b")
			settings := defaultSettings()
			if mode == "hang" {
				settings.Timeout = 200 * time.Millisecond
			}
			r, err := Run(context.Background(), s, formulas, []Translator{c, missing}, settings)
			if err != nil {
				t.Fatal(err)
			}
			if len(r.Rows) != 4 || r.Rows[0].Status != status || r.Rows[2].Status != "crash" {
				t.Errorf("%+v", r.Rows)
			}
			if mode == "crash" && !strings.Contains(r.Rows[0].Reason, "out of luck") {
				t.Errorf("reason %q", r.Rows[0].Reason)
			}
			if len(r.Differences) > 0 {
				t.Errorf("differences: %+v", r.Differences)
			}
		})
	}
}

// TestInterruptedTranslationsAreNoRows: a translation that an interruption ended says nothing
// of its translator, and those that never began say nothing either.
func TestInterruptedTranslationsAreNoRows(t *testing.T) {
	ctx, interrupt := context.WithCancel(t.Context())
	began := 0
	slow := Function("slow", func(ctx context.Context, _ *ltl.Formulas, _ *ltl.Formula) (*automata.Automaton, error) {
		began++
		interrupt()
		<-ctx.Done()
		return nil, ctx.Err()
	})
	s := ltl.NewFormulas()
	formulas := []Formula{{Formula: s.Globally(s.Atom("p"))}, {Formula: s.Atom("p")}}
	report, err := Run(ctx, s, formulas, []Translator{slow, Function("other", nil)}, Settings{Timeout: time.Minute})
	if err == nil || began != 1 || len(report.Rows) != 0 || report.Compared != 0 {
		t.Errorf("%d translations, %d rows, %d compared: %v", began, len(report.Rows), report.Compared, err)
	}
}

// TestInterruptedOnStateSpaces: state spaces that are still to be made are not, and their
// formula does not count as compared.
func TestInterruptedOnStateSpaces(t *testing.T) {
	ctx, interrupt := context.WithTimeout(t.Context(), 200*time.Millisecond)
	defer interrupt()
	s := ltl.NewFormulas()
	report, err := Run(ctx, s, []Formula{{Formula: s.Atom("p")}}, []Translator{ours}, Settings{Spaces: math.MaxInt, States: 5, Density: 0.5})
	if err == nil || report.Compared != 0 {
		t.Errorf("%d compared: %v", report.Compared, err)
	}
}

// TestStateSpacesKeepToLimits: a state space that is too large for the limits of a check is skipped and
// counted, and what does not need it goes on.
func TestStateSpacesKeepToLimits(t *testing.T) {
	s := ltl.NewFormulas()
	settings := Settings{Spaces: 3, States: 3000, Density: 0.5, Within: func(context.Context) (context.Context, context.CancelFunc) {
		return account.EndsAfter(5), func() {}
	}}
	report, err := Run(t.Context(), s, []Formula{{Formula: s.Atom("p")}}, []Translator{ours}, settings)
	if err != nil || report.Compared != 1 || report.Skipped == 0 {
		t.Fatalf("%d compared, %d skipped: %v", report.Compared, report.Skipped, err)
	}
	if _, err := newSpace(account.EndsAfter(5), s.Propositions(), settings, 1); err == nil {
		t.Error("a state space of millions of edges is made within five looks")
	}
	if x, err := newSpace(t.Context(), s.Propositions(), Settings{States: 50, Density: 0.1}, 1); err != nil || len(x.out) != 50 {
		t.Error(err)
	}
}

func TestTranslatorsHaveDifferentNames(t *testing.T) {
	var translators []Translator
	for _, line := range []string{"one %f", "{two}one %f", "one %f", "{one %f #2}three %f", "one %f"} {
		c, err := ParseCommand(line)
		if err != nil {
			t.Fatal(err)
		}
		translators = append(translators, c)
	}
	Distinguish(translators)
	names := map[string]bool{}
	for _, x := range translators {
		names[x.Name()] = true
	}
	if len(names) != len(translators) || !names["one %f"] || !names["one %f #3"] {
		t.Errorf("names %v", names)
	}
}

func TestScriptWithAMistakeIsFound(t *testing.T) {
	if _, err := exec.LookPath("sh"); err != nil || runtime.GOOS == "windows" {
		t.Skip("no shell to run the script")
	}
	t.Setenv(asTranslator, "right")
	right, err := ParseCommand("{right}" + self(t) + " %f")
	if err != nil {
		t.Fatal(err)
	}
	mistaken, err := ParseCommand("{mistaken}sh testdata/wrong-translator.sh " + self(t) + " %f")
	if err != nil {
		t.Fatal(err)
	}
	s, formulas := parseAll(t, "GFa", "G(a -> ((!c & !b) U b))")
	r, err := Run(context.Background(), s, formulas, []Translator{right, mistaken}, defaultSettings())
	if err != nil || len(r.Differences) == 0 || r.Failures() > 0 {
		t.Fatalf("%d differences, %d failures, error %v", len(r.Differences), r.Failures(), err)
	}
	for _, d := range r.Differences {
		if d.Number != 2 || strings.Join(d.Wrong, " ") != "mistaken" {
			t.Errorf("formula %d, wrong %v: %+v", d.Number, d.Wrong, d)
		}
	}
}

// TestDrawingsOfTranslators takes a translator that draws, as ltl2tgta does: one of its
// drawings can be read in two ways.
func TestDrawingsOfTranslators(t *testing.T) {
	if _, err := exec.LookPath("sh"); err != nil || runtime.GOOS == "windows" {
		t.Skip("no shell to run the script")
	}
	s, formulas := parseAll(t, `G F "p1>=2"`, "!busy W done")
	settings := defaultSettings()
	settings.Shrink = false
	for mode, want := range map[string]struct{ failures, wrong int }{"--tgta": {0, 0}, "damaged": {4, 0}, "wrong": {0, 1}} {
		drawing, err := ParseCommand("{drawing}sh testdata/ltl2tgta.sh " + mode + " %f")
		if err != nil {
			t.Fatal(err)
		}
		r, err := Run(context.Background(), s, formulas, []Translator{ours, drawing}, settings)
		if err != nil {
			t.Fatal(err)
		}
		if r.Failures() != want.failures || r.Skipped > 0 || len(r.Differences) > 0 != (want.wrong > 0) {
			t.Errorf("%s: %d failures, %d differences, %v", mode, r.Failures(), len(r.Differences), r.Rows)
		}
		for _, row := range r.Rows {
			if row.Status != "ok" && (row.Status != "rubbish" || !strings.HasPrefix(row.Reason, "output:")) {
				t.Errorf("%s: %+v", mode, row)
			}
		}
		for _, d := range r.Differences {
			if strings.Join(d.Wrong, " ") != "drawing" && d.Word != nil {
				t.Errorf("%s: wrong %v: %+v", mode, d.Wrong, d)
			}
		}
	}
}

func TestParseCommand(t *testing.T) {
	for line, want := range map[string]string{
		`ltl2tgba -H %f`:               "[ltl2tgba -H %f]",
		`{x y} a 'b c' "d'e" f'g'h %l`: "[a b c d'e fgh %l]",
		"a\t%F  > %O":                  "[a %F > %O]",
	} {
		c, err := ParseCommand(line)
		if err != nil || fmt.Sprint(c.words) != want {
			t.Errorf("%q: %v, error %v; want %v", line, c, err, want)
		}
	}
	for _, line := range []string{"", "ltl2tgba", "a 'b %f", "{name a %f", "a %%f", "{n}"} {
		if c, err := ParseCommand(line); err == nil {
			t.Errorf("%q: no error, but %v", line, c.words)
		}
	}
}

func FuzzParseCommand(f *testing.F) {
	for _, line := range []string{`ltl2tgba -H %f`, `{x} a 'b c' %l`, "'", "{", "%f"} {
		f.Add(line)
	}
	f.Fuzz(func(t *testing.T, line string) {
		if c, err := ParseCommand(line); err == nil && len(c.words) == 0 {
			t.Error("no words, and no error")
		}
	})
}

func TestReportForms(t *testing.T) {
	s, formulas := parseAll(t, "a U b")
	formulas[0].Name = "first, of one"
	r, err := Run(context.Background(), s, formulas, []Translator{ours, wrong}, defaultSettings())
	if err != nil {
		t.Fatal(err)
	}
	var text, table, object bytes.Buffer
	if err := errors.Join(r.WriteText(&text), r.WriteCSV(&table), r.WriteJSON(&object)); err != nil {
		t.Fatal(err)
	}
	for _, part := range []string{"wrong: [wrong]", "difference: formula 1, a U b"} {
		if !strings.Contains(text.String(), part) {
			t.Errorf("no %q in\n%s", part, text.String())
		}
	}
	if lines := strings.Split(strings.TrimSpace(table.String()), "\n"); len(lines) != 5 || !strings.Contains(lines[1], `"first, of one"`) {
		t.Errorf("%s", table.String())
	}
	var back struct { // words are text
		Rows        []Row
		Differences []struct{ Word string }
	}
	if err := json.Unmarshal(object.Bytes(), &back); err != nil || len(back.Rows) != 4 || len(back.Differences) != len(r.Differences) || back.Differences[0].Word != r.Differences[0].Word.String() {
		t.Errorf("%v: %s", err, object.String())
	}
}

package chamber

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"pnmc/internal/torture/twin"
)

// runsIn reads the runs in a file that --trace names, in whichever form its ending tells. Names are
// those of the questions: a text has them at the end of a title only.
func (o *Outcome) runsIn(file string, names []string, net *twin.Net) ([]*twin.Trace, error) {
	text, err := o.file(file)
	if err != nil {
		return nil, err
	}
	switch filepath.Ext(file) {
	case ".html":
		list, _, err := runsOnPage(text, net)
		return list, err
	case ".json":
		var list []*twin.Trace
		for line := range bytes.Lines(text) {
			t, err := twin.ReadTrace(line)
			if err != nil {
				return nil, err
			}
			list = append(list, t)
		}
		return list, nil
	}
	list, err := twin.ReadTraces(string(text))
	for _, t := range list {
		for _, name := range names {
			if end := " " + onOneLine(name); strings.HasSuffix(onOneLine(t.Title), end) && len(name) > len(t.Name) {
				t.Name = name
			}
		}
	}
	return list, err
}

// onOneLine returns a text with single spaces.
func onOneLine(text string) string { return strings.Join(strings.Fields(text), " ") }

// runsOnPage reads the runs on a page and its verdicts, and checks that its net is the one given,
// if that is known.
func runsOnPage(text []byte, net *twin.Net) (list []*twin.Trace, given []verdict, err error) {
	page, err := twin.ReadPage(text)
	if err != nil {
		return nil, nil, fmt.Errorf("a page: %w", err)
	}
	if page.Net == nil {
		return nil, nil, fmt.Errorf("a page without a net")
	}
	if net != nil {
		if err := page.Net.Same(net); err != nil {
			return nil, nil, err
		}
	}
	for _, a := range page.Answers {
		given = append(given, verdict{a.Name, valueOf(a.Verdict, a.Value)})
		if t := page.Trace(a); t != nil && !page.Net.Partial {
			list = append(list, t)
		}
	}
	return list, given, nil
}

// valueOf returns a verdict of JSON as lines of text have it.
func valueOf(word string, value string) string {
	switch {
	case word == "value" && value == "infinite":
		return "+inf"
	case word == "value":
		return value
	}
	return map[string]string{"holds": "TRUE", "violated": "FALSE", "unknown": "CANNOT_COMPUTE"}[word]
}

// decided returns the verdicts that say something.
func decided(list []verdict) []verdict {
	return slices.DeleteFunc(slices.Clone(list), func(v verdict) bool { return v.value == "CANNOT_COMPUTE" })
}

// pageShows says in what the answers on a page differ from those that were printed: a page has all
// of them, with the same verdicts.
func pageShows(text []byte, net *twin.Net, printed []verdict) (list []string) {
	runs, given, err := runsOnPage(text, net)
	if err != nil {
		return []string{err.Error()}
	}
	left := slices.Clone(given)
	for _, v := range printed {
		i := slices.Index(left, v)
		if i < 0 {
			list = append(list, fmt.Sprintf("the page does not say that %s is %s, but %v", firstLine(v.name), v.value, given[:min(len(given), 20)]))
			continue
		}
		left = slices.Delete(left, i, i+1)
	}
	if net == nil {
		return list
	}
	for _, t := range runs {
		if err := t.ReplayBranches(net, nil); err != nil && !errors.Is(err, twin.ErrTooLong) {
			list = append(list, fmt.Sprintf("the run of %s on the page: %v", firstLine(t.Name), err))
		}
	}
	return list
}

// pageOf checks a page that shows answers, if there is one: it must be there if it was asked for, unless
// the program says that a limit left none.
func (o *Outcome) pageOf(file string, net *twin.Net, printed []verdict, must bool) []string {
	text, err := o.file(file)
	if err != nil {
		if must && !o.tellsNoPage() {
			return []string{"no page: " + err.Error()}
		}
		return nil
	}
	return pageShows(text, net, printed)
}

// tellsNoPage reports whether the program says that a limit left no page. Answers are told all the same, and a
// violation gives the exit code.
func (o *Outcome) tellsNoPage() bool {
	return (o.Code == 1 || o.Code == 2) && strings.Contains(string(o.Stderr), "no page is written: ")
}

// noRun is what the program says of a run for which a limit leaves no time or memory.
var noRun = regexp.MustCompile(`^its run is not [^:]*: (total )?(time|memory) limit of `)

// tellsNoRun reports whether the program says that a limit left no run of a property. Its answer stays.
func (o *Outcome) tellsNoRun(name string) bool {
	return slices.ContainsFunc(strings.Split(string(o.Stderr), "\n"), func(line string) bool {
		told, is := strings.CutPrefix(line, "pnmc: "+name+": ")
		return is && noRun.MatchString(told)
	})
}

// pagesIn checks the pages in a folder: each has the verdicts that are given, and runs that can be
// fired. A folder without pages is left by a run that had no time for them.
func (o *Outcome) pagesIn(folder string, net *twin.Net, printed []verdict) (list []string) {
	files, err := os.ReadDir(filepath.Join(o.Folder, folder))
	if err != nil {
		return nil
	}
	for _, f := range files {
		if f.IsDir() {
			continue
		}
		list = append(list, o.pageOf(filepath.Join(folder, f.Name()), net, printed, true)...)
	}
	return list
}

// replay checks the counterexamples.
//
// Each verdict FALSE must have a counterexample, and nothing else may have one. It must fire on
// the net of the twin, and its run must violate the formula, or be accepted by the automaton of
// the negation. That is stronger than to compare verdicts: it also finds a right verdict with a
// wrong reason, and needs no state graph, so that it works for large nets.
func (k *check) replay(o *Outcome, verdicts []verdict) (list []string) {
	if k.traces == "" || o.Code > 2 {
		return nil
	}
	var names, violated []string
	for _, v := range verdicts {
		names = append(names, v.name)
		if v.value == "FALSE" {
			violated = append(violated, v.name)
		}
	}
	if text, err := o.file(k.traces); err != nil {
		if o.Code == 2 && len(decided(verdicts)) == 0 {
			return nil // a limit ended the reading of properties before any was decided
		}
		if filepath.Ext(k.traces) == ".html" && o.tellsNoPage() {
			return nil
		}
		return []string{"no file of counterexamples: " + err.Error()}
	} else if filepath.Ext(k.traces) == ".html" {
		page, err := twin.ReadPage(text)
		if err != nil {
			return []string{"counterexamples: " + err.Error()}
		}
		if page.Net != nil && page.Net.Partial {
			return nil
		}
		list = append(list, pageShows(text, k.net, decided(verdicts))...)
	}
	traces, err := o.runsIn(k.traces, names, k.net)
	if err != nil {
		return append(list, "counterexamples: "+err.Error())
	}
	for _, t := range traces {
		i := slices.Index(violated, t.Name)
		if i < 0 {
			list = append(list, fmt.Sprintf("counterexample to %q, which is not violated", t.Name+t.Title))
			continue
		}
		violated = slices.Delete(violated, i, i+1)
		if problem := k.refute(t); problem != "" {
			list = append(list, fmt.Sprintf("counterexample to %q: %s", t.Name, problem))
		}
	}
	if violated = slices.DeleteFunc(violated, o.tellsNoRun); len(violated) > 0 {
		list = append(list, fmt.Sprintf("no counterexample to %q", violated))
	}
	return list
}

// refute fires a counterexample and checks that it is one. It returns what is wrong, or nothing.
func (k *check) refute(t *twin.Trace) string {
	if k.net == nil {
		return ""
	}
	word, _, err := t.Replay(k.net, k.atoms)
	if err != nil && !errors.Is(err, twin.ErrTooLong) {
		return err.Error()
	}
	if word == nil {
		return ""
	}
	formula, automaton := k.formulas[t.Name], k.automata[t.Name]
	system := word.System()
	switch {
	case formula != nil:
		if violates, known := system.Some(twin.Unary(twin.Not, formula), k.atoms); known && !violates {
			return "its run satisfies the formula"
		}
	case automaton != nil && !k.believed:
		if accepted, known := system.Accepted(automaton); known && !accepted {
			return "the automaton does not accept its run"
		}
	}
	return ""
}

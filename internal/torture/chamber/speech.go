package chamber

import (
	"bytes"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// documented are the exit codes that the help of each command tells, by its name; the main command
// has none. A test compares them with what --help prints.
var documented = map[string][]int{
	"":           {0, 1, 2, 3, 4, 5},
	"states":     {0, 2, 3, 4, 5},
	"convert":    {0, 2, 3, 4, 5},
	"unfold":     {0, 2, 3, 4, 5},
	"reduce":     {0, 2, 3, 4, 5},
	"view":       {0, 1, 2, 3, 4, 5},
	"play":       {0, 2, 3, 4, 5},
	"intersect":  {0, 1, 2, 3, 4, 5},
	"include":    {0, 1, 2, 3, 4, 5},
	"equivalent": {0, 1, 2, 3, 4, 5},
	"translate":  {0, 2, 3, 4, 5},
	"cross":      {0, 1, 2, 3, 4, 5},
	"mcc":        {0, 2, 3, 4, 5},
	"batch":      {0, 1, 2, 3, 4, 5},
	"bench":      {0, 2, 3, 4, 5},
	"completion": {0, 3, 4, 5},
	"man":        {0, 2, 3, 4, 5},
	"help":       {0, 3},
}

// Documented returns the exit codes that the chamber expects of each command.
func Documented() map[string][]int { return documented }

// subcommand returns the command of pnmc that is run; empty for the main one.
func (c *Case) subcommand() string {
	if len(c.Arguments) == 0 || strings.HasPrefix(c.Arguments[0], "-") || documented[c.Arguments[0]] == nil {
		return ""
	}
	return c.Arguments[0]
}

// isDocumented reports whether the command may end with this code.
func (c *Case) isDocumented(code int) bool { return slices.Contains(documented[c.subcommand()], code) }

// speaker begins each line on standard error.
const speaker = "pnmc: "

// wrongSpeech says what is wrong with standard error: it consists of whole lines, each of which
// says who speaks and has something to say, in characters that a terminal shows.
func wrongSpeech(o *Outcome) error {
	for line := range bytes.Lines(o.Stderr) {
		text, isWhole := bytes.CutSuffix(line, []byte("\n"))
		words, says := bytes.CutPrefix(text, []byte(speaker))
		shown := line[:min(len(line), 200)]
		switch {
		case !isWhole:
			return fmt.Errorf("the last line on standard error is cut: %q", shown)
		case !says:
			return fmt.Errorf("a line on standard error does not begin with %q: %q", speaker, shown)
		case len(bytes.TrimSpace(words)) == 0:
			return fmt.Errorf("a line on standard error says nothing: %q", shown)
		case !utf8.Valid(words):
			return fmt.Errorf("a line on standard error is no text: %q", shown)
		}
		for _, r := range string(words) {
			if r != '\t' && unicode.IsControl(r) {
				return fmt.Errorf("a line on standard error has the character %q: %q", r, shown)
			}
		}
	}
	return nil
}

// needsWord reports whether a run must come with a word on standard error: why something is wrong
// or unknown. Reports of bench and cross have a place for what is unknown, and so have the answers
// about pairs of automata.
func (c *Case) needsWord(o *Outcome) bool {
	told := false
	switch c.subcommand() {
	case "cross", "bench":
		told = len(o.Stdout) > 0
	case "intersect", "include", "equivalent":
		told = bytes.ContainsRune(o.Stdout, '?') || bytes.Contains(o.Stdout, []byte(`"answer":null`))
	}
	return o.Code >= 3 || o.Code == 2 && !told
}

// firstWords returns as much of a text as is looked for in others.
func firstWords(text string) string { return text[:min(len(text), 40)] }

// namesInput reports whether standard error tells what of the input is bad: one of the files, a
// flag, or one of several things by its number or name.
func (c *Case) namesInput(o *Outcome) bool {
	text := string(o.Stderr)
	for name := range c.Files {
		if strings.Contains(text, filepath.Base(name)) {
			return true
		}
	}
	for _, word := range c.Arguments { // a formula, or the name of one
		if len(word) > 1 && word[0] != '-' && strings.Contains(text, firstWords(word)) {
			return true
		}
	}
	for _, sign := range []string{"--", "<stdin>", "standard input", "standard output", "formula", "automaton", "automata", "Drawn-", "property", "place \"", "transition \""} {
		if strings.Contains(text, sign) {
			return true
		}
	}
	return false
}

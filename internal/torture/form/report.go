package form

import (
	"bytes"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"
)

// sentences are the lines beside tables that the commands print.
var sentences = map[string][]*regexp.Regexp{
	"batch": {
		regexp.MustCompile(`^wrong: .+: expected .+, answered .+$`),
		regexp.MustCompile(`^contradiction: .+: answered .+, and then .+$`),
	},
	"bench": {
		regexp.MustCompile(`^(?:Verified properties \(no counterexample\)|Violated properties \(a counterexample exists\))$`),
		regexp.MustCompile(`^(?:Verified|Violated) properties (?:\(.*\) )?to which .+ does not apply$`),
		regexp.MustCompile(`^[a-z()-][a-z() -]* against (?:the others|[a-z() -]+, where one takes [0-9.e+-]+ s:)$`),
		regexp.MustCompile(`^Transitions explored, against those of the best approach for the property$`),
		regexp.MustCompile(`^(?:Left out of this table|Properties without a verdict by any approach)$`),
		regexp.MustCompile(`^Automata of .+ were made on the fly: their states and transitions are those that the check met \(--built makes whole ones\)\.$`),
		regexp.MustCompile(`^Some measurements by .+ do not tell whether automata were made on the fly\.$`),
		regexp.MustCompile(`^\?: the whole product of violated properties was not asked for, or is beyond a limit, of .+ by .+\.$`),
		regexp.MustCompile(`^PARTIAL: [0-9]+ of [0-9]+ measurements are missing from what follows\.$`),
	},
	"cross": {
		regexp.MustCompile(`^[a-z -]+: formula [0-9]+, .+: by .+: .+$`),
		regexp.MustCompile(`^given up: .+$`),
		regexp.MustCompile(`^difference: formula [0-9]+, .+: .+$`),
		regexp.MustCompile(`^  (?:between .+ and .+|(?:the word|word .+) (?:satisfies|does not satisfy) the formula; wrong: \[.*\]|run .+|smaller formula: .+|left out: .+)$`),
	},
}

// headings are the first rows of tables, with single spaces.
var headings = []string{
	"examination asked right wrong missing unrated points of seconds",
	"model set properties approach automaton trans. full product trans. emptiness check trans. seconds",
	"model set not for verdict against products none larger of all explored transitions of the other ratio",
	"approach properties best of all at most twice of all",
	"model set properties approach why",
	"model set properties stuttering slow faster lower quartile median upper quartile",
	"except set line verdict seconds states peak nodes stuttering",
	"automata failures states edges deterministic product states product edges seconds translator",
}

var lastOfCross = regexp.MustCompile(`^[0-9]+ checks, [0-9]+ given up, [0-9]+ differences$`)

// Report returns the check of what batch, bench or cross print: sentences of which there
// are few forms, and tables. A row begins with a space, and all rows of a table are equally
// wide, as columns are aligned on the right; only the last column of reasons is not.
func Report(command string) func(text []byte) error {
	return func(text []byte) error {
		lines := strings.Split(string(text), "\n")
		if err := Ended(text); err != nil || len(text) == 0 {
			return err
		}
		lines = lines[:len(lines)-1]
		if command == "cross" {
			if last := lines[len(lines)-1]; !lastOfCross.MatchString(last) {
				return fmt.Errorf("the last line is %q, expected how many checks there were", last)
			}
			lines = lines[:len(lines)-1]
		}
		width := 0
		for i, line := range lines {
			isSentence := slices.ContainsFunc(sentences[command], func(r *regexp.Regexp) bool { return r.MatchString(line) })
			switch {
			case line == "" || isSentence:
				width = 0
				continue
			case !strings.HasPrefix(line, " "):
				return fmt.Errorf("line %d, %q: it is no sentence that %s prints", i+1, line[:min(len(line), 200)], command)
			case width < 0: // a table whose last column are reasons
				continue
			case width == 0 && strings.Join(strings.Fields(line), " ") == headings[4]:
				width = -1
				continue
			}
			if n := utf8.RuneCountInString(line); width == 0 {
				if width = n; !slices.Contains(headings, strings.Join(strings.Fields(line), " ")) {
					return fmt.Errorf("line %d, %q: it is no heading of a table", i+1, line[:min(len(line), 200)])
				}
			} else if n != width {
				return fmt.Errorf("line %d, %q: a row of %d characters in a table of %d", i+1, line[:min(len(line), 200)], n, width)
			}
		}
		return nil
	}
}

// Page checks that a page in HTML has its end, which need not be </html>: each script and
// each style is closed.
func Page(text []byte) error {
	trimmed := bytes.TrimSpace(text)
	if !bytes.HasSuffix(trimmed, []byte("</html>")) && !bytes.HasSuffix(trimmed, []byte("</script>")) {
		return fmt.Errorf("it ends with neither </html> nor </script>")
	}
	for _, element := range []string{"script", "style", "body", "head"} {
		opened, closed := bytes.Count(text, []byte("\n<"+element)), bytes.Count(text, []byte("</"+element+">\n"))
		if (element == "script" || element == "style") && opened != closed {
			return fmt.Errorf("%d begin and %d end of <%s>", opened, closed, element)
		}
	}
	return nil
}

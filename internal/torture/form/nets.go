package form

import (
	"bytes"
	"fmt"
	"regexp"
	"strings"
)

// pattern checks lines by a state machine: each rule has the form of a line, and what may
// come after it.
type pattern struct {
	// next has for each rule the rules that may follow; start are those that may come first.
	start string
	rules map[byte]rule
}

// rule is a form of a line.
type rule struct {
	form *regexp.Regexp
	next string // of the rules that may follow; a dot is the end
}

func line(form, next string) rule { return rule{regexp.MustCompile("^(?:" + form + ")$"), next} }

// check checks a text; whole says whether it must come to its end.
func (p pattern) check(text []byte, whole bool) error {
	expected := p.start
	number := 0
lines:
	for line := range bytes.Lines(text) {
		number++
		line = bytes.TrimSuffix(line, []byte("\n"))
		for _, name := range []byte(expected) {
			if r, is := p.rules[name]; is && r.form.Match(line) {
				expected = r.next
				continue lines
			}
		}
		return fmt.Errorf("line %d, %q: it is none that can stand here", number, line[:min(len(line), 200)])
	}
	if whole && !strings.Contains(expected, ".") {
		return fmt.Errorf("it ends after line %d, before its end", number)
	}
	return Ended(text)
}

const (
	tinaName = `(?:[A-Za-z_'][A-Za-z0-9_']*|\{(?:[^{}\\\n]|\\.)*\})`
	lolaName = `[^,;:\s]+`
	lolaArcs = `(?: ` + lolaName + ` : [0-9]+(?:, ` + lolaName + ` : [0-9]+)*)?;`
	galName  = `[A-Za-z_][A-Za-z0-9_]*`
)

var tina = pattern{"npt.", map[byte]rule{
	'n': line(`net `+tinaName, "pt."),
	'p': line(`pl `+tinaName+`(?: : `+tinaName+`)? \([0-9]+\)`, "pt."),
	't': line(`tr `+tinaName+`(?: : `+tinaName+`)?(?: `+tinaName+`(?:\*[0-9]+|\?-?[0-9]+)?)* ->(?: `+tinaName+`(?:\*[0-9]+)?)*`, "t."),
}}

var lola = pattern{"pe", map[byte]rule{
	'e': line(`PLACE;`, "m"),
	'p': line(`PLACE`, "cl"),
	'c': line(`  `+lolaName+`,`, "cl"),
	'l': line(`  `+lolaName+`;`, "m"),
	'm': line(`MARKING`+lolaArcs, "t."),
	't': line(`TRANSITION `+lolaName, "i"),
	'i': line(`  CONSUME`+lolaArcs, "o"),
	'o': line(`  PRODUCE`+lolaArcs, "t."),
}}

var gal = pattern{"g", map[byte]rule{
	'g': line(`gal `+galName+` \{`, "pte"),
	'p': line(`  int `+galName+` = [0-9]+;(?: // .*)?`, "pte"),
	't': line(`  transition `+galName+` \[(?:true|`+galName+` (?:>=|<) [0-9]+(?: && `+galName+` (?:>=|<) [0-9]+)*)\] \{(?: // .*)?`, "ab"),
	'a': line(`    `+galName+` = (?:[0-9]+|`+galName+` [+-] [0-9]+);`, "ab"),
	'b': line(`  \}`, "te"),
	'e': line(`\}`, "."),
}}

const (
	etfName   = `(?:"(?:[^"\\]|\\.)*"|[^:\s"]+)`
	etfNames  = `(?:` + etfName + `:` + etfName + `(?: ` + etfName + `:` + etfName + `)*)?`
	etfNumber = `-?[0-9]+`
)

var etf = pattern{"s", map[byte]rule{
	's': line(`begin state`, "1"),
	'1': line(etfNames, "2"),
	'2': line(`end state`, "3"),
	'3': line(`begin edge`, "4"),
	'4': line(etfNames, "5"),
	'5': line(`end edge`, "6"),
	'6': line(`begin init`, "7"),
	'7': line(`(?:`+etfNumber+`(?: `+etfNumber+`)*)?`, "8"),
	'8': line(`end init`, "tmo."),
	't': line(`begin trans`, "ru"),
	'r': line(`(?:(?:\*|`+etfNumber+`/`+etfNumber+`) )*(?:`+etfNumber+`(?: `+etfNumber+`)*)?`, "ru"),
	'u': line(`end trans`, "tmo."),
	'm': line(`begin map `+etfName+`:`+etfName, "xn"),
	'x': line(`(?:(?:\*|`+etfNumber+`) )*`+etfNumber, "xn"),
	'n': line(`end map`, "mo."),
	'o': line(`begin sort `+etfName, "vw"),
	'v': line(`"(?:[^"\\]|\\.)*"`, "vw"),
	'w': line(`end sort`, "o."),
}}

// Net returns the check of a net in this format, or nil if it has none. If a limit ended the
// writing, the end need not be there, but each line must be whole.
func Net(format string, whole bool) func(text []byte) error {
	patterns := map[string]pattern{"tina": tina, "lola": lola, "gal": gal, "etf": etf}
	p, is := patterns[format]
	if !is {
		return nil
	}
	return func(text []byte) error {
		if err := p.check(text, whole); err != nil || format != "etf" {
			return err
		}
		return rowsFit(text)
	}
}

// rowsFit checks that each row of a table of LTSmin has an entry for each variable and each label.
func rowsFit(text []byte) error {
	columns, number, inRows := 0, 0, false
	for line := range bytes.Lines(text) {
		number++
		switch n := len(bytes.Fields(line)); {
		case number == 2, number == 5: // names of variables and of labels, which have no spaces as pnmc draws them
			columns += n
		case bytes.HasPrefix(line, []byte("begin trans")):
			inRows = true
		case bytes.HasPrefix(line, []byte("end ")):
			inRows = false
		case inRows && n != columns:
			return fmt.Errorf("line %d, %q: a row of %d entries, expected %d", number, line[:min(len(line), 200)], n, columns)
		}
	}
	return nil
}

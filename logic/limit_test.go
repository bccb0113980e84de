package logic_test

import (
	"errors"
	"strconv"
	"strings"
	"testing"
	"testing/iotest"

	"pnmc/logic"
	"pnmc/logic/ctl"
	"pnmc/logic/internal/logictest"
	"pnmc/logic/ltl"
)

// A reader of a large formula asks its limit all the while, and ends with it: while it
// scans, while it parses, and while it makes the formula.
func TestReadingHasLimit(t *testing.T) {
	v := logictest.Names
	long := func(operand, between string) string {
		return strings.Repeat(operand+between, 8_000) + operand
	}
	readers := map[string]func(limit logic.Limit) error{
		"LTL": func(limit logic.Limit) error {
			_, err := ltl.Parser{Formulas: ltl.NewFormulas(), Limit: limit}.Parse(long("F a", " | "))
			return err
		},
		"LBT": func(limit logic.Limit) error {
			text := balanced(1 << 13)
			_, err := ltl.Parser{Formulas: ltl.NewFormulas(), Syntax: ltl.LBTSyntax, Limit: limit}.Parse(text)
			return err
		},
		"CTL": func(limit logic.Limit) error {
			_, err := ctl.Parser{Vocabulary: v, Limit: limit}.Parse(long("EF p >= 1", " | "))
			return err
		},
		"predicate": func(limit logic.Limit) error {
			_, err := logic.PredicateParser{Vocabulary: v, Limit: limit}.Parse(long("p >= 1", " | "))
			return err
		},
		"sum": func(limit logic.Limit) error {
			_, err := logic.PredicateParser{Vocabulary: v, Limit: limit}.Parse(long("p", " + ") + " >= 1")
			return err
		},
		"names": func(limit logic.Limit) error {
			_, err := logic.PredicateParser{Vocabulary: v, Limit: limit}.Parse("tokens(" + long("p", ", ") + ") >= 1")
			return err
		},
		"file of propositions": func(limit logic.Limit) error {
			_, err := logic.PredicateParser{Vocabulary: v, Limit: limit}.ReadPropositions(strings.NewReader("a: "+long("p", " + ")+" >= 1"), "file")
			return err
		},
		"file": func(limit logic.Limit) error {
			_, err := ltl.Read(strings.NewReader("name: "+long("F a", " | ")), "file",
				ltl.Parser{Formulas: ltl.NewFormulas(), Limit: limit})
			return err
		},
		"name of a proposition": func(limit logic.Limit) error {
			check := func(name string) error {
				_, err := logic.PredicateParser{Vocabulary: v, Limit: limit}.Parse(name)
				return err
			}
			_, err := ltl.Parser{Formulas: ltl.NewFormulas(), Check: check}.Parse(`G "` + long("p", " | ") + `"`)
			return err
		},
	}
	over := errors.New("over")
	for name, read := range readers {
		asked, bytes := 0, 0
		if err := read(func(n int) error { asked++; bytes += n; return nil }); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if least := 1 << 20; bytes < least || asked < 2*8_000 {
			t.Errorf("%s: asked %d times for %d bytes", name, asked, bytes)
		}
		for _, part := range []int{3, 8} {
			calls := 0
			err := read(func(int) error {
				if calls++; calls > asked*part/10 {
					return over
				}
				return nil
			})
			var limit *logic.LimitError
			if !errors.As(err, &limit) || limit.Err != over {
				t.Errorf("%s: after %d of 10 parts: %v, expected the error of the limit", name, part, err)
			}
			if most := asked*part/10 + 1; calls > most {
				t.Errorf("%s: asked %d times, %d after the end", name, calls, calls-most)
			}
		}
	}
}

// balanced returns a conjunction of n propositions in LBT's syntax.
func balanced(n int) string {
	if n == 1 {
		return "p1"
	}
	return "& " + balanced(n/2) + " " + balanced(n-n/2)
}

// Errors of the reader come back with the name of the file.
func TestReaderErrors(t *testing.T) {
	broken := iotest.ErrReader(iotest.ErrTimeout)
	if _, err := logic.ReadPropositions(broken, "atoms.prop", logictest.Small); err == nil || err.Error() != "atoms.prop: timeout" {
		t.Errorf("propositions: %v", err)
	}
	if _, err := ltl.Read(broken, "f.ltl", ltl.Parser{Formulas: ltl.NewFormulas()}); err == nil || err.Error() != "f.ltl: timeout" {
		t.Errorf("formulas: %v", err)
	}
	found, err := logic.ReadPropositions(strings.NewReader("\ufeff# mark of byte order\nx: p"), "f", logictest.Small)
	if err != nil || len(found) != 1 || found[0].Name != "x" {
		t.Errorf("byte order mark: %v, %v", found, err)
	}
}

// manyNodes is a vocabulary in which each name stands for very many places and transitions, as those of coloured nets do.
type manyNodes struct {
	logic.Vocabulary
	nodes []uint32
}

func (v manyNodes) Places(name string) []uint32      { return v.called(name, "pq") }
func (v manyNodes) Transitions(name string) []uint32 { return v.called(name, "tu") }

func (v manyNodes) called(name, names string) []uint32 {
	if len(name) != 1 || !strings.Contains(names, name) {
		return nil
	}
	return v.nodes
}

// TestNamesOfManyNodesAskTheLimit: each name is asked for with what it stands for, and reading ends with the limit.
func TestNamesOfManyNodesAskTheLimit(t *testing.T) {
	v := manyNodes{logictest.Names, make([]uint32, 10_000)}
	for i := range v.nodes {
		v.nodes[i] = uint32(i)
	}
	over := errors.New("over")
	for _, text := range []string{"p + q >= 1", "tokens(p, q) >= 1", "fireable(t, u)"} {
		bytes := 0
		if _, err := (logic.PredicateParser{Vocabulary: v, Limit: func(n int) error { bytes += n; return nil }}).Parse(text); err != nil {
			t.Errorf("%s: %v", text, err)
		}
		if least := 2 * 16 * len(v.nodes); bytes < least {
			t.Errorf("%s: asked for %d bytes, expected %d or more", text, bytes, least)
		}
		var limit *logic.LimitError
		_, err := logic.PredicateParser{Vocabulary: v, Limit: func(n int) error {
			if n > 10_000 {
				return over
			}
			return nil
		}}.Parse(text)
		if !errors.As(err, &limit) || limit.Err != over {
			t.Errorf("%s: %v, expected the error of the limit", text, err)
		}
	}
}

// TestSuggestionsAskTheLimit: names like an unknown one are looked for within the limit, and an error comes without them after it.
func TestSuggestionsAskTheLimit(t *testing.T) {
	bytes, over := 0, error(nil)
	limit := func(n int) error { bytes += n; return over }
	_, err := logic.PredicateParser{Vocabulary: logictest.Names, Limit: limit}.Parse("Catch1_4 >= 1")
	read := bytes
	const want = `1:1: no place "Catch1_4"`
	if got := err.Error(); !strings.HasPrefix(got, want+"; did you mean") || bytes-read < 1<<20 {
		t.Errorf("%s, after %d bytes", got, bytes-read)
	}
	over = errors.New("over")
	if got := err.Error(); got != want {
		t.Errorf("%s after the limit, want %s", got, want)
	}
}

// rangeNodes is a vocabulary in which the name of one letter and a number stands for that many thousands of nodes from there on.
type rangeNodes struct{ logic.Vocabulary }

const inRange = 10_000

func (v rangeNodes) Places(name string) []uint32      { return v.called(name, "p") }
func (v rangeNodes) Transitions(name string) []uint32 { return v.called(name, "t") }

func (v rangeNodes) called(name, letter string) []uint32 {
	digits, ok := strings.CutPrefix(name, letter)
	n, err := strconv.Atoi(digits)
	if !ok || err != nil {
		return nil
	}
	nodes := make([]uint32, inRange)
	for i := range nodes {
		nodes[i] = uint32(n*inRange + i)
	}
	return nodes
}

// TestListsOfNodesAskBeforeTheyGrow: the limit is asked for all of a list or sum that gets a larger place, not only for what
// is added to it; and names that come again make it no larger.
func TestListsOfNodesAskBeforeTheyGrow(t *testing.T) {
	const names = 60
	joined := func(letter, between string, different bool) string {
		list := make([]string, names)
		for i := range list {
			list[i] = letter + "0"
			if different {
				list[i] = letter + strconv.Itoa(i)
			}
		}
		return strings.Join(list, between)
	}
	for _, c := range []struct {
		text      string
		different bool
		size      int // of a node in the list
	}{
		{"fireable(" + joined("t", ", ", true) + ")", true, 4},
		{"tokens(" + joined("p", ", ", true) + ") >= 1", true, 16},
		{joined("p", " + ", true) + " >= 1", true, 16},
		{"fireable(" + joined("t", ", ", false) + ")", false, 4},
		{"tokens(" + joined("p", ", ", false) + ") >= 1", false, 16},
		{joined("p", " + ", false) + " >= 1", false, 16},
	} {
		most := 0
		p, err := logic.PredicateParser{Vocabulary: rangeNodes{logictest.Names}, Limit: func(n int) error { most = max(most, n); return nil }}.Parse(c.text)
		if err != nil {
			t.Fatal(err)
		}
		want := inRange
		if c.different {
			want *= names
		}
		if got := len(p.Transitions) + len(p.Sum.Terms); got != want {
			t.Errorf("%.20s: %d nodes, want %d", c.text, got, want)
		}
		if all := names * inRange * c.size; (most >= all/2) != c.different {
			t.Errorf("%.20s: asked for %d bytes at once, of %d", c.text, most, all)
		}
	}
	bytes := 0
	limit := func(n int) error { bytes += n; return nil }
	if _, err := (logic.PredicateParser{Vocabulary: rangeNodes{logictest.Names}, Limit: limit}).Parse("fireable(" + joined("t", ", ", false) + ")"); err != nil || bytes > 5*64*inRange {
		t.Errorf("%d bytes for the same name again and again, %v", bytes, err)
	}
}

// TestComparisonsAskAlike: a comparison asks for as much memory whatever its operator.
func TestComparisonsAskAlike(t *testing.T) {
	asked := func(operator string) (bytes int) {
		limit := func(n int) error { bytes += n; return nil }
		if _, err := (logic.PredicateParser{Vocabulary: rangeNodes{logictest.Names}, Limit: limit}).Parse("p0 + p1 " + operator + " 5"); err != nil {
			t.Fatal(err)
		}
		return bytes
	}
	want := asked("<=")
	for _, operator := range []string{"==", "!="} {
		if got := asked(operator); got != want {
			t.Errorf("%s asks for %d bytes, <= for %d", operator, got, want)
		}
	}
}

package pnml

import (
	"errors"
	"fmt"
	"strings"
	"testing"
)

// errFull is the error of limits in tests.
var errFull = errors.New("full")

// within returns a limit that says no after so many bytes.
func within(bytes int) func(int) error {
	return func(n int) error {
		if bytes -= n; bytes < 0 {
			return errFull
		}
		return nil
	}
}

// asked returns for how many bytes the limit is asked while a text is read.
func asked(t *testing.T, text string) int {
	t.Helper()
	bytes := 0
	reader := Reader{Limit: func(n int) error { bytes += n; return nil }}
	if _, err := reader.ReadDocument(strings.NewReader(text), "f"); err != nil {
		t.Fatal(err)
	}
	return bytes
}

// colouredNet returns a symmetric net with these declarations and nodes.
func colouredNet(declarations, nodes string) string {
	return `<pnml><net id="n" type="http://www.pnml.org/version-2009/grammar/symmetricnet"><declaration><structure><declarations>` +
		declarations + `</declarations></structure></declaration><page id="g">` + nodes + `</page></net></pnml>`
}

// integerRange returns the declaration of the class of integers from 1 to size, with that identifier.
func integerRange(id string, size int) string {
	return fmt.Sprintf(`<namedsort id="%s" name="%[1]s"><finiteintrange start="1" end="%d"/></namedsort>`, id, size)
}

// integer returns the term for a colour of the class of integers from 1 to size.
func integer(value, size int) string {
	return fmt.Sprintf(`<subterm><finiteintrangeconstant value="%d"><finiteintrange start="1" end="%d"/></finiteintrangeconstant></subterm>`, value, size)
}

// add returns the term for the sum of terms.
func add(terms ...string) string {
	return `<subterm><add>` + strings.Join(terms, "") + `</add></subterm>`
}

// markedPlace returns a place of that sort with an initial marking.
func markedPlace(id, sort, marking string) string {
	return `<place id="` + id + `"><type><structure><usersort declaration="` + sort + `"/></structure></type><hlinitialMarking><structure>` +
		marking + `</structure></hlinitialMarking></place>`
}

// TestLimitEndsReading: once the limit has said no, its error comes out, wherever that was, and it is
// not asked again.
func TestLimitEndsReading(t *testing.T) {
	text := colouredNet(integerRange("c", 100)+`<partition id="q"><usersort declaration="c"/><partitionelement id="e">`+integer(1, 100)+`</partitionelement></partition>`,
		markedPlace("p", "c", add(integer(1, 100), integer(2, 100)))+strings.Repeat(`<place/>`, 3))
	full, questions := 0, 0
	for more := true; more; full++ {
		left := full
		questions = 0
		reader := Reader{Limit: func(int) error {
			questions++
			if left--; left < 0 {
				return errFull
			}
			return nil
		}}
		_, err := reader.ReadDocument(strings.NewReader(text), "f")
		if more = errors.Is(err, errFull); more && questions != full+1 || err == nil {
			t.Fatalf("asked %d times, of which %d were right: %v", questions, full, err)
		}
	}
	if full < 5 {
		t.Errorf("asked %d times in all", full-1)
	}
}

// TestPartitionsAreAskedFor: a partition of a large class takes memory for each of its colours, also
// one that is wrong.
func TestPartitionsAreAskedFor(t *testing.T) {
	const size = 1 << 20
	partition := func(id string) string {
		return `<partition id="` + id + `"><usersort declaration="c"/><partitionelement id="e` + id + `"/></partition>`
	}
	text := colouredNet(integerRange("c", size)+partition("q")+partition("r")+partition("s"), "")
	_, err := Reader{Limit: within(20 << 20)}.ReadDocument(strings.NewReader(text), "f")
	if !errors.Is(err, errFull) {
		t.Errorf("three partitions of a million colours within 20 MB: %v", err)
	}
	if _, err := (Reader{Limit: within(28 << 20)}).ReadDocument(strings.NewReader(text), "f"); err == nil || errors.Is(err, errFull) {
		t.Errorf("three partitions of a million colours within 28 MB: %v", err)
	}
}

package query

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pnmc/logic"
)

// set wraps the content of a formula into a property file.
func set(formula string) string {
	return "<property-set xmlns=\"http://mcc.lip6.fr/\">\n <property>\n  <id>m-00</id>\n  <formula>" +
		formula + "</formula>\n </property>\n</property-set>\n"
}

const anAtom = "<integer-le><tokens-count><place>p</place></tokens-count><integer-constant>3</integer-constant></integer-le>"

func TestRead(t *testing.T) {
	for _, test := range []struct{ formula, want string }{
		{"<all-paths><globally>" + anAtom + "</globally></all-paths>", `A (G (tokens-count("p") <= 3))`},
		{"<place-bound><place>p</place><place> q </place></place-bound>", `bound("p","q")`},
		{"<exists-path><until><reach><deadlock/></reach><before><true/></before></until></exists-path>", "E ((true) U (deadlock))"},
		{"<exists-path><until><before><true/></before><reach><false/></reach><strength>weak</strength></until></exists-path>", "E ((true) W (false))"},
		{"<all-paths><next><if-no-successor>true</if-no-successor><steps>3</steps><deadlock/></next></all-paths>", "A (X[3]{true} (deadlock))"},
		{"<invariant><negation>" + anAtom + "</negation></invariant>", `INVARIANT (! (tokens-count("p") <= 3))`},
		{"<implication><true/><exclusive-disjunction><true/><false/></exclusive-disjunction></implication>", "(true) -> ((true) xor (false))"},
		{"<is-live><level>l4</level><transition>t</transition></is-live>", `is-live(L4, "t")`},
		{"<integer-gt><integer-sum><integer-constant>1</integer-constant><integer-constant>2</integer-constant></integer-sum>" +
			"<integer-product><integer-constant>2</integer-constant><tokens-count><place>p</place></tokens-count></integer-product></integer-gt>",
			`(1 + 2) > (2 * tokens-count("p"))`},
		{"<integer-gt><integer-constant>-1</integer-constant><integer-difference><tokens-count><place>p</place></tokens-count></integer-difference></integer-gt>",
			`-1 > (0 - tokens-count("p"))`},
	} {
		properties, err := Read("f.xml", []byte(set(test.formula)))
		if err != nil || len(properties) != 1 {
			t.Errorf("%s: %v", test.formula, err)
			continue
		}
		if got := properties[0].Formula.Text(Nested); got != test.want {
			t.Errorf("%s\ngot  %s\nwant %s", test.formula, got, test.want)
		}
		if properties[0].ID != "m-00" {
			t.Errorf("id %q", properties[0].ID)
		}
	}
}

func TestReadErrorsHavePositions(t *testing.T) {
	for _, test := range []struct{ source, want string }{
		{"", "f.xml:1:1: no root element, expected property-set"},
		{"<a>\n<b></a>", "f.xml:2:"},
		{"<property-set/>", "f.xml:1:1: no property, expected some"},
		{"<formula/>", "f.xml:1:1: element formula, expected property-set"},
		{"<property-set>\n <property><formula/></property></property-set>", "f.xml:2:2: property without id"},
		{"<property-set><property><id> </id></property></property-set>", "f.xml:1:25: empty id, expected a name"},
		{set("<globaly/>"), "f.xml:4:12: unknown element globaly in a formula"},
		{set("<conjunction/>"), "f.xml:4:12: 0 operands in conjunction, expected 1 or more"},
		{set("<negation>" + anAtom + anAtom + "</negation>"), "f.xml:4:12: 2 operands in negation, expected 1"},
		{set("<negation><integer-constant>1</integer-constant></negation>"),
			"f.xml:4:22: integer-constant in negation is an integer expression, expected a Boolean one"},
		{set("<integer-le><integer-constant>x</integer-constant></integer-le>"), "f.xml:4:12: 1 operands in integer-le, expected 2"},
		{set("<integer-le><integer-constant>x</integer-constant><deadlock/></integer-le>"),
			`f.xml:4:24: "x", expected an integer of at most 63 bits`},
		{set("<is-fireable/>"), "f.xml:4:12: is-fireable without transition"},
		{set("<is-fireable><place>p</place></is-fireable>"), "f.xml:4:25: element place in is-fireable, expected transition"},
		{set("<exists-path><until><before><true/></before></until></exists-path>"), "f.xml:4:25: until without reach"},
		{set("<integer-constant>1</integer-constant>"),
			"f.xml:4:12: integer expression integer-constant as formula, expected a Boolean one or place-bound"},
		{set("<is-live><level>l9</level></is-live>"), `f.xml:4:21: level "l9", expected l0 to l4`},
	} {
		_, err := Read("f.xml", []byte(test.source))
		if err == nil || !strings.HasPrefix(err.Error(), test.want) {
			t.Errorf("%s\ngot  %v\nwant %s", test.source, err, test.want)
		}
	}
}

func TestReadKeepsGoodProperties(t *testing.T) {
	source := strings.Replace(set("<deadlock/>"), "</property>", "</property>\n<property><id>bad</id></property>\n"+
		"<property><id>m-01</id><formula><true/></formula></property>", 1)
	properties, err := Read("f.xml", []byte(source))
	if len(properties) != 2 || properties[1].ID != "m-01" {
		t.Errorf("read %v", properties)
	}
	if err == nil || !strings.Contains(err.Error(), "property bad has no formula") {
		t.Errorf("error %v", err)
	}
}

// TestReadDropsSharedIDs: an answer could not tell which property it is for. An id is told once,
// however many properties have it, and whether or not they can be read.
func TestReadDropsSharedIDs(t *testing.T) {
	property := func(id, formula string) string {
		return "<property><id>" + id + "</id><formula>" + formula + "</formula></property>\n"
	}
	a, b, bad := property("a", "<true/>"), property("b", "<true/>"), property("a", "<globaly/>")
	const told = "f.xml:%s: another property with the id a, as at %s: none with it is answered"
	for _, test := range []struct{ name, properties, read, unread, want string }{
		{"another formula", a + b + property("a", "<false/>"), "b", "a", fmt.Sprintf(told, "4:1", "2:1")},
		{"the same formula", b + a + a, "b", "a", fmt.Sprintf(told, "4:1", "3:1")},
		{"three", a + a + b + a, "b", "a", fmt.Sprintf(told, "3:1", "2:1")},
		{"other spaces", a + property(" a\n", "<true/>"), "", "a", fmt.Sprintf(told, "3:1", "2:1")},
		{"before one that can't be read", a + bad + b, "b", "a",
			"f.xml:3:30: unknown element globaly in a formula\n" + fmt.Sprintf(told, "3:1", "2:1")},
		{"after one that can't be read", bad + b + a, "b", "a",
			"f.xml:2:30: unknown element globaly in a formula\n" + fmt.Sprintf(told, "4:1", "2:1")},
	} {
		properties, err := ReadContest("f.xml", []byte("<property-set>\n"+test.properties+"</property-set>"))
		var read []string
		for _, p := range properties {
			read = append(read, p.ID)
		}
		var unread *UnreadError
		if strings.Join(read, " ") != test.read || !errors.As(err, &unread) || err.Error() != test.want || strings.Join(unread.IDs, " ") != test.unread {
			t.Errorf("%s: read %q, unread %v\ngot  %v\nwant %s", test.name, read, unread, err, test.want)
		}
	}
}

// TestReadBeforeDamage: the properties before the damage are read, and the ids after
// it are known.
func TestReadBeforeDamage(t *testing.T) {
	property := func(id string) string {
		return "<property><id>" + id + "</id><formula><exists-path><finally>" + anAtom + "</finally></exists-path></formula></property>\n"
	}
	const head = "<?xml version=\"1.0\"?>\n<m:property-set xmlns:m=\"http://mcc.lip6.fr/\">\n"
	for _, test := range []struct{ name, source, read, lost, position string }{
		{"truncated", head + property("a") + property("b")[:60], "a", "b", "4:61"},
		{"truncated in an id", head + property("a") + "<property><id>b</i", "a", "", "4:19"},
		{"not closed", head + property("a") + property("b"), "a b", "", "5:1"},
		{"garbage", head + property("a") + "<property><id>b</id><formula><&></formula></property>\n" + property("c"), "a", "b c", "4:"},
		{"wrong end", head + property("a") + "<property><id>b</id></formula></property>\n" + property("c"), "a", "b c", "4:"},
		{"twice, once after the damage", head + property("a") + property("c") + "<property><&>\n" + property("a"), "c", "a", "5:"},
		{"names of several words", head + property("a \n b") + "<property><&>\n" + property(" c  d "), "a b", "c d", "5:"},
		{"no root", "<?xml", "", "", "1:"},
		{"nothing whole", head + property("a")[:70], "", "", "3:"},
	} {
		properties, err := ReadContest("f.xml", []byte(test.source))
		var read []string
		for _, p := range properties {
			read = append(read, p.ID)
		}
		if strings.Join(read, " ") != test.read {
			t.Errorf("%s: read %q", test.name, read)
		}
		if test.name == "twice, once after the damage" && !strings.HasSuffix(err.Error(), "f.xml:3:1: another property with the id a is in what is not read: none with it is answered") {
			t.Errorf("%s: error %v", test.name, err)
		}
		if err == nil || !strings.HasPrefix(err.Error(), "f.xml:"+test.position) {
			t.Errorf("%s: error %v", test.name, err)
		}
		var unread *UnreadError
		if errors.As(err, &unread) != (test.read != "") || unread != nil && strings.Join(unread.IDs, " ") != test.lost {
			t.Errorf("%s: lost %v", test.name, unread)
		}
	}
}

func TestReadRefusesDeepNesting(t *testing.T) {
	deep := strings.Repeat("<negation>", 10_000) + "<true/>" + strings.Repeat("</negation>", 10_000)
	if _, err := ReadContest("f.xml", []byte(set(deep))); err == nil || !strings.HasPrefix(err.Error(), "f.xml:") {
		t.Errorf("error %.200v", err)
	}
}

func FuzzRead(f *testing.F) {
	files, err := filepath.Glob("testdata/*.xml")
	if err != nil {
		f.Fatal(err)
	}
	for _, name := range files {
		source, err := os.ReadFile(name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(source)
	}
	f.Add([]byte(set("<exists-path><finally>" + anAtom + "</finally></exists-path>")))
	f.Fuzz(func(t *testing.T, source []byte) {
		asReadOnce(t, "f.xml", source)
		properties, err := ReadContest("f.xml", source)
		if err != nil {
			return
		}
		written, err := WriteXML(properties)
		if err != nil {
			t.Fatal(err)
		}
		again, err := Read("again.xml", written)
		if err != nil {
			t.Fatalf("%v in %s", err, written)
		}
		if !sameProperties(properties, again) {
			t.Fatalf("reading what was written gives other properties: %s", written)
		}
	})
}

// TestReadWithin: reading asks the limit all the while, and ends with it: a large formula, the search for
// the place of an error, for the place of damage and for what is lost behind it.
func TestReadWithin(t *testing.T) {
	large := set("<disjunction>" + strings.Repeat(anAtom, 5000) + "</disjunction>")
	small := "<property-set><property><id>a</id><formula><true/></formula></property>"
	wrong := strings.Replace(large, "</property-set>", "<wrong/></property-set>", 1)
	damaged := small + strings.TrimPrefix(large[:len(large)-100], "<property-set xmlns=\"http://mcc.lip6.fr/\">")
	behind := small + "<&>" + large
	bytesOf := map[string]int{} // that are asked for
	for _, test := range []struct {
		name, source string
		least        int
	}{
		{"whole", large, treeBytes * len(large)},
		{"wrong", wrong, 2 * treeBytes * len(large)},
		{"damaged at its end", damaged, 2*treeBytes*len(damaged) + len(damaged) - 1000},
		{"damaged early", behind, len(behind) - 1000},
	} {
		source, asked := []byte(test.source), 0
		_, err := ReadWithin("f.xml", source, func(bytes int) error { asked++; bytesOf[test.name] += bytes; return nil })
		if (err == nil) != (test.name == "whole") || asked < 40 || bytesOf[test.name] < test.least {
			t.Errorf("%s: asked %d times for %d bytes, of %d; %v", test.name, asked, bytesOf[test.name], len(source), err)
		}
		over := errors.New("over")
		for part := range 10 {
			calls := 0
			properties, err := ReadWithin("f.xml", source, func(int) error {
				if calls++; calls > asked*part/10 {
					return over
				}
				return nil
			})
			var limit *logic.LimitError
			if !errors.As(err, &limit) || limit.Err != over || properties != nil || calls > asked*part/10+1 {
				t.Errorf("%s: after %d of 10 parts: %v, asked %d of %d times", test.name, part, err, calls, asked)
			}
		}
	}
	if more := bytesOf["wrong"] - bytesOf["whole"]; more < treeBytes*len(large) {
		t.Errorf("the search for the place of an error asks for %d bytes, of %d", more, len(large))
	}
}

// TestPositionsWithin: a position that the limit does not allow to look for is the file alone.
func TestPositionsWithin(t *testing.T) {
	over := false
	properties, err := ReadWithin("f.xml", []byte(set("<deadlock/>")), func(int) error {
		if over {
			return errors.New("over")
		}
		return nil
	})
	if over = true; err != nil || len(properties) != 1 || properties[0].Position() != "f.xml" {
		t.Errorf("%v, %v", properties, err)
	}
}

// TestManyErrors: positions of errors are found by one scan of the document. With a scan for
// each, this takes hours.
func TestManyErrors(t *testing.T) {
	const count = 20_000
	var text strings.Builder
	text.WriteString("<property-set xmlns=\"http://mcc.lip6.fr/\">\n")
	for i := range count {
		fmt.Fprintf(&text, "<property><id>p%d</id><formula><place-bound><place>p</place></place-bound></formula></property>\n", i)
	}
	text.WriteString("</property-set>\n")
	properties, err := Read("many.xml", []byte(text.String()))
	if err != nil || len(properties) != count {
		t.Fatalf("%d properties, %v", len(properties), err)
	}
	for i, p := range properties {
		if got, want := p.Position(), fmt.Sprintf("many.xml:%d:", i+2); !strings.HasPrefix(got, want) {
			t.Fatalf("property %d is at %s, expected %s", i, got, want)
		}
	}
}

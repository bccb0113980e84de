package query

import (
	"errors"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/beevik/etree"

	"pnmc/internal/longtoken"
	"pnmc/logic"
)

// propertiesOf returns a property file with these elements in its root.
func propertiesOf(elements ...string) string {
	return `<?xml version="1.0"?><property-set xmlns="http://mcc.lip6.fr/">` + strings.Join(elements, "\n") + `</property-set>`
}

const (
	deadlocks = `<formula><exists-path><finally><deadlock/></finally></exists-path></formula>`
	wrong     = `<formula><all-paths><nonsense/></all-paths></formula>`
)

func TestReadIDs(t *testing.T) {
	property := func(id, rest string) string { return "<property><id>" + id + "</id>" + rest + "</property>" }
	for _, x := range []struct {
		text string
		ids  []string
		err  string
	}{
		{propertiesOf(property("a-0", deadlocks), property(" a \n 1 ", deadlocks)), []string{"a-0", "a 1"}, ""},
		{propertiesOf(property("a&amp;b", deadlocks), property("<![CDATA[c<d]]>", wrong)), []string{"a&b", "c<d"}, ""},
		{propertiesOf(property("a<!-- not this -->b", deadlocks), property("c<x>d</x>e", deadlocks)), []string{"ab", "c"}, ""},
		{propertiesOf(property("twice", deadlocks), property("twice", deadlocks), property("", deadlocks)), []string{"twice"}, ""},
		{propertiesOf("<property>"+deadlocks+"<id>last</id><id>none</id></property>", "<other><id>none</id></other>"), []string{"last"}, ""},
		{propertiesOf("<property><formula><id>inner</id></formula></property>", property("outer", "")), []string{"outer"}, ""},
		{propertiesOf(property("whole", deadlocks)) + "<", []string{"whole"}, ""},
		{propertiesOf(property("whole", deadlocks), "<property><id>cut</id><formula></property>"), []string{"whole", "cut"}, ""},
		{"<property-set", nil, "f:1:14: XML syntax error on line 1: unexpected EOF"},
		{"<property-set/>", nil, "f:1:1: no property, expected some"},
		{"", nil, "f:1:1: no root element, expected property-set"},
		{"<pnml><net/></pnml>", nil, "f:1:1: element pnml, expected property-set"},
		{propertiesOf("<property/>"), nil, "f: no property with an id, expected some"},
		{propertiesOf("<property>" + strings.Repeat("<and>", mostNested)), nil, "elements nest deeper than expected"},
		{propertiesOf(property("a", deadlocks), "<!--"+strings.Repeat(" ", longtoken.Most+1<<16)+"-->", property("b", deadlocks)), nil, (&longtoken.Error{}).Error()},
		{propertiesOf("<!--" + strings.Repeat(" ", longtoken.Most+1<<16) + "-->"), nil, (&longtoken.Error{}).Error()},
		{propertiesOf("<property" + strings.Repeat(" a=''", 2*mostEquals) + ">"), nil, errEquals.Error()},
		{propertiesOf("<description>"+strings.Repeat("long ", 1<<20)+"</description>", property("a", deadlocks)), []string{"a"}, ""},
		{propertiesOf(strings.Repeat(property("x", deadlocks), 20_000)), []string{"x"}, ""},
	} {
		ids, err := ReadIDs("f", strings.NewReader(x.text), nil)
		if !slices.Equal(ids, x.ids) || (err == nil) != (x.err == "") || err != nil && !strings.Contains(err.Error(), x.err) {
			t.Errorf("%.200s: ids %q, %v; expected %q, %s", x.text, ids, err, x.ids, x.err)
		}
	}
}

// TestReadIDsWithin: the text ends with the limit, and ids take no more than they may.
func TestReadIDsWithin(t *testing.T) {
	late := errors.New("late")
	asked := 0
	_, err := ReadIDs("f", endless(func() string { return "<property><id>a</id></property>" }), func(work int) error {
		if asked += work; asked > 1<<30 {
			return late
		}
		return nil
	})
	var limit *logic.LimitError
	if !errors.Is(err, late) || !errors.As(err, &limit) {
		t.Errorf("a text without end: %v", err)
	}
	n := 0
	ids, err := ReadIDs("f", endless(func() string {
		n++
		return "<property><id>" + strings.Repeat("a", n%1000) + strings.Repeat("b", n/1000) + "</id></property>"
	}), nil)
	if !errors.Is(err, errIDs) {
		t.Errorf("%d ids: %v", len(ids), err)
	}
	part := "<![CDATA[" + strings.Repeat("a", 1000) + "]]>"
	parts := io.MultiReader(strings.NewReader("<property-set><property><id>"), &endlessText{func() string { return part }, part})
	if ids, err := ReadIDs("f", parts, nil); !errors.Is(err, errIDs) {
		t.Errorf("%d ids, of one in parts: %v", len(ids), err)
	}
}

// endlessText is a property file without end, of the elements that a function makes.
type endlessText struct {
	next func() string
	left string
}

// endless returns the file at its beginning.
func endless(next func() string) io.Reader { return &endlessText{next, "<property-set>"} }

// Read reads on in the element, or makes the next.
func (e *endlessText) Read(p []byte) (int, error) {
	if e.left == "" {
		e.left = e.next()
	}
	n := copy(p, e.left)
	e.left = e.left[n:]
	return n, nil
}

// TestReadIDsAsRead: of each file, ReadIDs finds what ReadContest reads and what it says that it
// could not use.
func TestReadIDsAsRead(t *testing.T) {
	files, err := filepath.Glob(filepath.Join("testdata", "*.xml"))
	if err != nil || len(files) == 0 {
		t.Fatalf("%q, %v", files, err)
	}
	for _, file := range files {
		source, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		asReadOnce(t, file, source)
		for at := 0; at < len(source); at += 1 + len(source)/50 { // cut anywhere
			asReadOnce(t, file, source[:at])
		}
	}
}

// asReadOnce compares ReadIDs with ReadContest on one text.
func asReadOnce(t *testing.T, file string, source []byte) {
	t.Helper()
	properties, err := ReadContest(file, source)
	want := make(map[string]bool)
	for _, p := range properties {
		want[p.ID] = true
	}
	var unread *UnreadError
	if errors.As(err, &unread) {
		for _, id := range unread.IDs {
			want[id] = true
		}
	}
	ids, _ := ReadIDs(file, strings.NewReader(string(source)), nil)
	if len(properties) == 0 {
		return // the file cannot be used, or nothing of it
	}
	for _, id := range ids {
		if !want[id] {
			t.Errorf("%s, %d bytes: ReadContest does not know %q", file, len(source), id)
		}
		delete(want, id)
	}
	for _, p := range properties {
		if want[p.ID] {
			t.Errorf("%s, %d bytes: ReadIDs does not know %q", file, len(source), p.ID)
		}
	}
	if whole := etree.NewDocument().ReadFromBytes(source) == nil; whole && len(want) > 0 { // else some may be behind the damage
		t.Errorf("%s, %d bytes: ReadIDs does not know what is not read: %q", file, len(source), slices.Collect(maps.Keys(want)))
	}
}

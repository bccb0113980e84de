package pnml

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf16"

	"pnmc/petri"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// describe prints a net in readable lines.
func describe(net *petri.Net) string {
	var b strings.Builder
	fmt.Fprintf(&b, "net %q %q\n", net.ID, net.Name)
	for p := range petri.Place(net.Places()) {
		label := net.PlaceLabel(p)
		fmt.Fprintf(&b, "place %q %q %d\n", label.ID, label.Name, net.InitialTokens(p))
	}
	arcs := func(arcs []petri.Arc) string {
		var all []string
		for _, a := range arcs {
			all = append(all, fmt.Sprintf("%d*%q", a.Weight, net.PlaceLabel(a.Place).ID))
		}
		return strings.Join(all, " ")
	}
	for t := range petri.Transition(net.Transitions()) {
		label := net.TransitionLabel(t)
		fmt.Fprintf(&b, "transition %q %q: %s -> %s\n", label.ID, label.Name, arcs(net.Pre(t)), arcs(net.Post(t)))
		if inhibitors := net.Inhibitors(t); len(inhibitors) > 0 {
			fmt.Fprintf(&b, "  inhibited by %s\n", arcs(inhibitors))
		}
	}
	if units := net.NUPN(); units != nil {
		fmt.Fprintf(&b, "units root %d safe %v\n", units.Root, units.Safe)
		for i, u := range units.Units {
			fmt.Fprintf(&b, "unit %d %q places %v subunits %v\n", i, u.ID, u.Places, u.Subunits)
		}
	}
	return b.String()
}

// TestAccepted compares what is read from testdata/accept with golden files.
func TestAccepted(t *testing.T) {
	files, _ := filepath.Glob("testdata/accept/*.pnml")
	if len(files) == 0 {
		t.Fatal("no files")
	}
	for _, file := range files {
		net, err := Reader{}.ReadFile(file)
		if err != nil {
			t.Error(err)
			continue
		}
		got := describe(net)
		golden := strings.TrimSuffix(file, ".pnml") + ".golden"
		if *update {
			if err := os.WriteFile(golden, []byte(got), 0o666); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(golden)
		if err != nil {
			t.Fatal(err)
		}
		if got != strings.ReplaceAll(string(want), "\r\n", "\n") {
			t.Errorf("%s: got\n%swant\n%s", file, got, want)
		}
	}
}

// TestEncodings reads one text in several encodings.
func TestEncodings(t *testing.T) {
	text := func(declared string) string {
		return `<?xml version="1.0" encoding="` + declared + `"?><pnml><net id="n"><place id="é"><name>ü€𝒳</name></place></net></pnml>`
	}
	units := utf16.Encode([]rune(text("UTF-16")))
	var big, little []byte
	for _, u := range units {
		big = append(big, byte(u>>8), byte(u))
		little = append(little, byte(u), byte(u>>8))
	}
	latin1 := strings.NewReplacer("é", "\xe9", "ü€𝒳", "\xfc").Replace(text("iso-8859-1"))
	for name, c := range map[string]struct{ text, name string }{
		"UTF-8":                     {text("utf-8"), "ü€𝒳"},
		"UTF-8 with mark":           {"\xef\xbb\xbf" + text("UTF-8"), "ü€𝒳"},
		"UTF-16 big with mark":      {"\xfe\xff" + string(big), "ü€𝒳"},
		"UTF-16 little with mark":   {"\xff\xfe" + string(little), "ü€𝒳"},
		"UTF-16 big without mark":   {string(big), "ü€𝒳"},
		"UTF-16 little, no mark":    {string(little), "ü€𝒳"},
		"ISO-8859-1":                {latin1, "ü"},
		"undeclared UTF-8, no head": {text("")[strings.Index(text(""), "<pnml"):], "ü€𝒳"},
	} {
		// One byte a time: no reader may rely on where a buffer ends.
		net, err := Reader{}.Read(oneByte{strings.NewReader(c.text)}, name)
		if err != nil {
			t.Error(err)
			continue
		}
		if got := net.PlaceLabel(0); got != (petri.Label{ID: "é", Name: c.name}) {
			t.Errorf("%s: got %+v", name, got)
		}
	}
}

// TestDeclaredEncodings reads one name in the encodings of one byte or several.
func TestDeclaredEncodings(t *testing.T) {
	for _, c := range []struct{ declared, bytes, want string }{
		{"windows-1252", "\x8aa \x80", "Ša €"},
		{"CP1252", "\x8aa", "Ša"},
		{"ISO-8859-1", "\xe9", "é"},
		{"latin1", "\xe9", "é"},
		{"ISO-8859-2", "\xb9", "š"},
		{"iso-8859-15", "\xa4", "€"},
		{"windows-1251", "\xd1\xf2\xee\xef", "Стоп"},
		{"KOI8-R", "\xd3", "с"},
		{"Shift_JIS", "\x83\x6c", "ネ"},
		{"GBK", "\xcd\xf8", "网"},
		{"us-ascii", "a", "a"},
	} {
		text := `<?xml version="1.0" encoding="` + c.declared + `"?><pnml><net id="n" type="ptnet"><place id="p"><name><text>` + c.bytes + "</text></name></place></net></pnml>"
		net, err := Reader{}.Read(oneByte{strings.NewReader(text)}, c.declared)
		if err != nil {
			t.Error(err)
			continue
		}
		if got := net.PlaceLabel(0).Name; got != c.want {
			t.Errorf("%s: got %q, want %q", c.declared, got, c.want)
		}
	}
	for _, unknown := range []string{"martian", "iso-2022-kr"} {
		_, err := Reader{}.Read(strings.NewReader(`<?xml version="1.0" encoding="`+unknown+`"?><pnml/>`), "f")
		if err == nil || !strings.Contains(err.Error(), "is unknown, expected UTF-8") {
			t.Errorf("%s: got %v", unknown, err)
		}
	}
}

// TestEmptyNumbers: an empty text means the default of its label.
func TestEmptyNumbers(t *testing.T) {
	net, err := Reader{}.Read(strings.NewReader(`<pnml><net id="n" type="ptnet"><place id="p"><initialMarking><text></text></initialMarking></place>
<transition id="t"/><arc id="a" source="p" target="t"><inscription><text> </text></inscription></arc></net></pnml>`), "f")
	if err != nil {
		t.Fatal(err)
	}
	if net.InitialTokens(0) != 0 || len(net.Pre(0)) != 1 || net.Pre(0)[0].Weight != 1 {
		t.Errorf("got %s", describe(net))
	}
}

// oneByte reads a byte at a time.
type oneByte struct{ io.Reader }

func (r oneByte) Read(p []byte) (int, error) { return r.Reader.Read(p[:min(1, len(p))]) }

// TestChosenNet reads documents of several nets.
func TestChosenNet(t *testing.T) {
	const text = `<pnml><net id="a" type="symmetricnet"><nonsense/></net>
<net id="b" type="ptnet"><place id="p"/></net>
<net id="c" type="ptnet"/></pnml>`
	net, err := Reader{Net: "b"}.Read(strings.NewReader(text), "f")
	if err != nil || net.ID != "b" || net.Places() != 1 {
		t.Errorf("got %v, %v", net, err)
	}
	_, err = Reader{Net: "d"}.Read(strings.NewReader(text), "f")
	if want := `f:1:1: no net "d", expected one of "a", "b", "c"`; err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
	two := strings.Replace(text, "symmetricnet\"><nonsense/>", "ptnet\">", 1)
	_, err = Reader{}.Read(strings.NewReader(two), "f")
	nested := `<pnml><net id="outer"><page id="s"><net id="inner"><place id="q"/></net></page><place id="p"/></net></pnml>`
	for id, place := range map[string]string{"outer": "p", "inner": "q"} {
		net, err := Reader{Net: id}.Read(strings.NewReader(nested), "f")
		if err != nil || net.Places() != 1 || net.PlaceLabel(0).ID != place {
			t.Errorf("%s: %v", id, err)
		}
	}
	_, nestedErr := Reader{}.Read(strings.NewReader(nested), "f")
	if want := `f:1:36: <net> "inner" in <page> is a net of its own, as those of WoPeD's subprocesses are, expected nodes, or a choice of "outer" or "inner"`; nestedErr == nil || nestedErr.Error() != want || !errors.Is(nestedErr, ErrSeveralNets) {
		t.Errorf("got %v", nestedErr)
	}
	_, nestedErr = Reader{Net: "other"}.Read(strings.NewReader(nested), "f")
	if want := `f:1:1: no net "other", expected one of "outer", "inner"`; nestedErr == nil || nestedErr.Error() != want {
		t.Errorf("got %v", nestedErr)
	}
	woped := `<pnml><net id="noID"><page id="sub1"><net><place id="q"/><page id="sub1_sub1"><net><place id="r"/></net></page></net></page><place id="p"/></net></pnml>`
	for id, place := range map[string]string{"noID": "p", "sub1": "q", "sub1_sub1": "r"} {
		net, err := Reader{Net: id}.Read(strings.NewReader(woped), "f")
		if err != nil || net.ID != id || net.Places() != 1 || net.PlaceLabel(0).ID != place {
			t.Errorf("%s: %v", id, err)
		}
	}
	for id, want := range map[string]string{
		"":      `f:1:38: <net> "sub1" in <page> is a net of its own, as those of WoPeD's subprocesses are, expected nodes, or a choice of "noID" or "sub1"`,
		"other": `f:1:1: no net "other", expected one of "noID", "sub1", "sub1_sub1"`,
	} {
		if _, err := (Reader{Net: id}).Read(strings.NewReader(woped), "f"); err == nil || err.Error() != want {
			t.Errorf("%q: got %v", id, err)
		}
	}
	for _, ids := range [][2]string{{"a", "a"}, {"", "b"}, {"a", ""}} { // which --net cannot tell apart
		text := fmt.Sprintf(`<pnml><net id="%s"/><net id="%s"/></pnml>`, ids[0], ids[1])
		_, err := Reader{}.Read(strings.NewReader(text), "f")
		want := fmt.Sprintf("second net %q, expected a single one, or each with an identifier of its own to choose by", ids[1])
		if err == nil || !strings.HasSuffix(err.Error(), want) || errors.Is(err, ErrSeveralNets) {
			t.Errorf("%q: got %v", ids, err)
		}
	}
	if want := `f:2:1: second net "b", expected a single one, or a choice of "a" or "b"`; err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
}

// TestReadError passes on the error of a reader, with the position reached.
func TestReadError(t *testing.T) {
	broken := errors.New("broken pipe")
	text := io.MultiReader(strings.NewReader("<pnml>\n<net id='n'>"), failing{broken})
	_, err := Reader{}.Read(text, "f")
	var located *Error
	if !errors.Is(err, broken) || !errors.As(err, &located) || located.Line != 2 {
		t.Errorf("got %v", err)
	}
	if _, err := (Reader{}).ReadFile("testdata/none.pnml"); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("got %v", err)
	}
}

type failing struct{ err error }

func (f failing) Read([]byte) (int, error) { return 0, f.err }

func ExampleReader_Read() {
	net, err := Reader{}.Read(strings.NewReader(`<pnml xmlns="http://www.pnml.org/version-2009/grammar/pnml">
  <net id="n" type="http://www.pnml.org/version-2009/grammar/ptnet">
    <page id="g">
      <place id="p"><initialMarking><text>2</text></initialMarking></place>
      <transition id="t"/>
      <arc id="a" source="p" target="t"/>
    </page>
  </net>
</pnml>`), "example.pnml")
	fmt.Println(net.Places(), net.Transitions(), net.Arcs(), net.Initial(), err)

	_, err = Reader{}.Read(bytes.NewReader([]byte(`<pnml><net id="n" type="ptnet">
  <place id="p"><initialMarking><text>-2</text></initialMarking></place></net></pnml>`)), "example.pnml")
	fmt.Println(err)
	// Output:
	// 1 1 1 [2] <nil>
	// example.pnml:2:17: <initialMarking> is "-2", expected an integer from 0 to 2^63-1
}

// TestLimitIsAskedBeforeTheNet: the limit hears of what the net takes, and its error ends the
// reading.
func TestLimitIsAskedBeforeTheNet(t *testing.T) {
	file := filepath.Join("..", "testdata", "philosophers.pnml")
	full, asked := errors.New("no room"), 0
	_, err := Reader{Limit: func(bytes int) error {
		asked += bytes
		return full
	}}.ReadDocumentFile(file)
	net, unlimited := Reader{}.ReadFile(file)
	if err != full || unlimited != nil || asked < 24*net.Arcs() {
		t.Errorf("asked for %d bytes, %v, %v", asked, err, unlimited)
	}
}

// TestProposedExtensions: the net types that are proposed for nets with inhibitor and reset arcs
// are read, whatever arcs there are.
func TestProposedExtensions(t *testing.T) {
	for _, extension := range []string{"inhibitorptnet", "resetptnet", "resetinhibitorptnet"} {
		net, err := Reader{}.Read(strings.NewReader(`<pnml><net id="n" type="http://www.pnml.org/version-2009/extensions/`+extension+`"><page id="g">
<place id="p"/><transition id="t"/><arc id="i" source="p" target="t"><arctype><text>inhibitor</text></arctype></arc>
<arc id="r" source="p" target="t"><inscription><text>1</text></inscription></arc></page></net></pnml>`), "net.pnml")
		if err != nil {
			t.Errorf("%s: %v", extension, err)
		} else if got := net.Inhibitors(0); len(got) != 1 || len(net.Pre(0)) != 1 {
			t.Errorf("%s: %v inhibit, %v are taken", extension, got, net.Pre(0))
		}
	}
}

package pnml

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"pnmc/petri/symmetric"
	"pnmc/petri/symmetric/colourless"
	"pnmc/petri/symmetric/names"
)

// TestSymmetric reads symmetric nets and compares their unfoldings, all of them
// and what is reachable, with golden files.
func TestSymmetric(t *testing.T) {
	files, _ := filepath.Glob("testdata/symmetric/*.pnml")
	if len(files) == 0 {
		t.Fatal("no files")
	}
	for _, file := range files {
		document, err := Reader{}.ReadDocumentFile(file)
		if err != nil {
			t.Error(err)
			continue
		}
		var got strings.Builder
		for _, keepAll := range []bool{true, false} {
			u, err := document.Symmetric.Unfold(t.Context(), symmetric.Options{KeepAll: keepAll})
			if err != nil {
				t.Fatal(err)
			}
			fmt.Fprintf(&got, "keep all: %v\n%s\n", keepAll, describe(u.Net))
		}
		golden := strings.TrimSuffix(file, ".pnml") + ".golden"
		if *update {
			if err := os.WriteFile(golden, []byte(got.String()), 0o666); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(golden)
		if err != nil {
			t.Fatal(err)
		}
		if got.String() != strings.ReplaceAll(string(want), "\r\n", "\n") {
			t.Errorf("%s: got\n%swant\n%s", file, got.String(), want)
		}
	}
}

// TestColouredReadArcs: a read arc is an arc in either direction, however it is written.
func TestColouredReadArcs(t *testing.T) {
	text, err := os.ReadFile("testdata/symmetric/inhibited.pnml")
	if err != nil {
		t.Fatal(err)
	}
	const inscription = `<hlinscription><structure><variable refvariable="x"/></structure></hlinscription></arc>`
	with := func(arcs ...string) *symmetric.Net {
		document, err := Reader{}.ReadDocument(strings.NewReader(strings.Replace(string(text), "</page>", strings.Join(arcs, "")+"</page>", 1)), "net.pnml")
		if err != nil {
			t.Fatal(err)
		}
		return document.Symmetric
	}
	want := with(`<arc id="r1" source="waiting" target="leave">`+inscription, `<arc id="r2" source="leave" target="waiting">`+inscription)
	if reflect.DeepEqual(want, with()) {
		t.Error("two arcs are none")
	}
	for _, arc := range []string{
		`<arc id="r" source="waiting" target="leave" type="read">`, `<arc id="r" source="waiting" target="leave" type="test">`,
		`<arc id="r" source="waiting" target="leave"><type value="test"/>`, `<arc id="r" source="waiting" target="leave"><arctype><text>read</text></arctype>`,
	} {
		if got := with(arc + inscription); !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %+v, want %+v", arc, got, want)
		}
	}
}

// TestSortsNest defines sorts by each other, before and after they are used: chains of
// any length are sorts, but for those that take recursion of that depth.
func TestSortsNest(t *testing.T) {
	chain := func(forwards bool, definition string) string {
		var sorts []string
		for i := range 3 * maxDepth {
			sorts = append(sorts, fmt.Sprintf(`<namedsort id="s%d">`+definition+`</namedsort>`, i, i+1))
		}
		sorts = append(sorts, fmt.Sprintf(`<namedsort id="s%d"><dot/></namedsort>`, len(sorts)))
		if !forwards {
			slices.Reverse(sorts)
		}
		return `<pnml><net id="n" type="symmetricnet"><declaration><structure><declarations>` + strings.Join(sorts, "") +
			`</declarations></structure></declaration><page id="p"><place id="q"><type><structure><usersort declaration="s0"/>` +
			`</structure></type></place></page></net></pnml>`
	}
	for _, c := range []struct {
		forwards         bool
		definition, want string // want is part of the error; "" for none
	}{
		{false, `<usersort declaration="s%d"/>`, ""},
		{true, `<usersort declaration="s%d"/>`, "<usersort> defines more than 2000 sorts in one another"},
		{false, `<productsort><usersort declaration="s%d"/></productsort>`, "<productsort> of products that nest deeper than 2000"},
		{true, `<productsort><usersort declaration="s%d"/></productsort>`, "defines more than 2000 sorts in one another"},
	} {
		_, err := Reader{}.ReadDocument(strings.NewReader(chain(c.forwards, c.definition)), "chain.pnml")
		switch {
		case c.want == "" && err != nil:
			t.Errorf("forwards %t, %s: got %v", c.forwards, c.definition, err)
		case c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)):
			t.Errorf("forwards %t, %s: got %v, expected %q", c.forwards, c.definition, err, c.want)
		}
	}
}

// TestPartsAreBounded names a part of a thousand colours more often than they are listed.
func TestPartsAreBounded(t *testing.T) {
	const size = 1000
	var colours, arcs strings.Builder
	for i := range size {
		fmt.Fprintf(&colours, `<numberconstant value="%d"/>`, i)
	}
	for i := range maxListed/size + 1 {
		fmt.Fprintf(&arcs, `<arc id="a%d" source="p" target="t"><hlinscription><structure><useroperator declaration="all"/>`+
			`</structure></hlinscription></arc>`, i)
	}
	text := fmt.Sprintf(`<pnml><net id="n" type="symmetricnet"><declaration><structure><declarations>`+
		`<namedsort id="s"><finiteintrange start="0" end="%d"/></namedsort>`+
		`<partition id="q"><usersort declaration="s"/><partitionelement id="all">%s</partitionelement></partition>`+
		`</declarations></structure></declaration><page id="g"><place id="p"><type><structure><usersort declaration="s"/></structure></type></place>`+
		`<transition id="t"/>%s</page></net></pnml>`, size-1, colours.String(), arcs.String())
	_, err := Reader{}.ReadDocument(strings.NewReader(text), "parts.pnml")
	if err == nil || !strings.Contains(err.Error(), "parts of partitions stand for more than 4194304 colours") {
		t.Errorf("got %v", err)
	}
}

// TestColouredErrors reads terms that are ill-sorted or worse. A text is put
// into a net with some declarations; its lines are numbered from 1.
func TestColouredErrors(t *testing.T) {
	const head = `<pnml><net id="n" type="symmetricnet"><declaration><structure><declarations>` +
		`<namedsort id="C" name="Colour"><cyclicenumeration><feconstant id="red"/><feconstant id="blue"/></cyclicenumeration></namedsort>` +
		`<namedsort id="E"><finiteenumeration><feconstant id="e"/></finiteenumeration></namedsort>` +
		`<namedsort id="R"><finiteintrange start="1" end="3"/></namedsort>` +
		`<namedsort id="P"><productsort><usersort declaration="C"/><usersort declaration="R"/></productsort></namedsort>` +
		`<partition id="H"><usersort declaration="C"/><partitionelement id="h"><useroperator declaration="red"/><useroperator declaration="blue"/></partitionelement></partition>` +
		`<variabledecl id="c"><usersort declaration="C"/></variabledecl><variabledecl id="r"><usersort declaration="R"/></variabledecl>` +
		`<variabledecl id="p"><usersort declaration="P"/></variabledecl><variabledecl id="e0"><usersort declaration="E"/></variabledecl>` +
		`</declarations></structure></declaration>` +
		`<place id="q"><type><structure><usersort declaration="C"/></structure></type></place>` +
		`<place id="qp"><type><structure><usersort declaration="P"/></structure></type></place><transition id="u"/>` + "\n"
	declaration := func(s string) string {
		return "<declaration><structure><declarations>\n" + s + "</declarations></structure></declaration>"
	}
	inscription := func(s string) string {
		return "<arc id='a' source='q' target='u'><hlinscription><structure>\n" + s + "</structure></hlinscription></arc>"
	}
	guard := func(s string) string {
		return "<transition id='t'><condition><structure>\n" + s + "</structure></condition></transition>"
	}
	marking := func(s string) string {
		return "<place id='x'><type><structure><usersort declaration='P'/></structure></type><hlinitialMarking><structure>\n" + s + "</structure></hlinitialMarking></place>"
	}
	product := "<productsort>" + strings.Repeat("<usersort declaration='C'/>", 63) + "</productsort>"
	for _, c := range []struct{ text, want string }{
		// Declarations.
		{declaration("<namedsort id='C'><dot/></namedsort>"), `2:1: second sort "C", expected distinct identifiers`},
		{declaration("<namedsort id='A'/>"), `2:1: sort "A" has 0 definitions, expected one`},
		{declaration("<namedsort id='A'><usersort declaration='B'/></namedsort>\n<namedsort id='B'><usersort declaration='A'/></namedsort>"),
			`2:1: sort "A" is defined by itself or wrongly, expected it not to be`},
		{declaration("<namedsort id='A'><usersort declaration='none'/></namedsort>"),
			`2:19: sort "none" is not declared, expected the identifier of a <namedsort>`},
		{declaration("<namedsort id='A'><string/></namedsort>"),
			`2:19: <string> is no sort of symmetric nets, expected <dot>, <cyclicenumeration>, <finiteenumeration>, <finiteintrange>, <productsort> or <usersort>`},
		{declaration("<namedsort id='A'><finiteintrange start='3' end='2'/></namedsort>"),
			`2:19: <finiteintrange> from "3" to "2", expected an integer and one at least as large, within ±2^40`},
		{declaration("<namedsort id='A'><cyclicenumeration/></namedsort>"),
			`2:19: <cyclicenumeration> is empty, expected <feconstant> in it`},
		{declaration("<namedsort id='A'><cyclicenumeration><feconstant id='red'/><feconstant id='a'/></cyclicenumeration></namedsort>"),
			`2:38: <feconstant> "red" in <cyclicenumeration>, expected <feconstant> with an identifier of its own`},
		{declaration("<namedsort id='A'><productsort><usersort declaration='P'/><usersort declaration='P'/>" + product + "</productsort></namedsort>"),
			`2:19: <productsort> of more than 64 components, expected fewer`},
		{declaration("<variabledecl id='c'><dot/></variabledecl>"), `2:1: <variabledecl> "c", expected an identifier of its own`},
		{declaration("<variabledecl id='z'/>"), `2:1: variable "z" has 0 sorts, expected one`},
		{declaration("<namedoperator id='f'/>"),
			`2:1: <namedoperator> is no declaration of symmetric nets, expected <namedsort>, <variabledecl> or <partition>`},
		{declaration("<partition id='A'/>"), `2:1: <partition> "A" is empty, expected a sort and <partitionelement>`},
		{declaration("<partition id='A'><usersort declaration='P'/></partition>"),
			`2:19: <partition> of sort ("Colour"×"R"), expected a class of at most 1048576 colours`},
		{declaration("<partition id='A'><usersort declaration='R'/><partitionelement id='x'><numberconstant value='1'/><numberconstant value='3'/></partitionelement></partition>"),
			`2:1: <partition> "A" leaves out "2", expected each colour in a part`},
		{declaration("<partition id='A'><usersort declaration='R'/><partitionelement id='x'><numberconstant value='1'/><numberconstant value='2'/><numberconstant value='3'/><numberconstant value='1'/></partitionelement></partition>"),
			`2:152: 1 is in a part already, expected it in one`},
		{declaration("<partition id='H'><usersort declaration='C'/></partition>"), `2:1: second partition "H", expected distinct identifiers`},
		{declaration("<partition id='A'><usersort declaration='C'/><partitionelement id='x'><useroperator declaration='red'/></partitionelement></partition>"),
			`2:1: <partition> "A" leaves out "blue", expected each colour in a part`},
		{declaration("<partition id='A'><usersort declaration='C'/><partitionelement id='x'><useroperator declaration='red'/><useroperator declaration='blue'/><useroperator declaration='red'/></partitionelement></partition>"),
			`2:138: <useroperator> "red", expected <useroperator> with a constant of "Colour" that is in no other part`},
		{declaration("<partition id='A'><usersort declaration='C'/><other/><partitionelement id='x'><useroperator declaration='red'/><useroperator declaration='blue'/></partitionelement></partition>"),
			`2:46: <other> "", expected <partitionelement> with an identifier of its own`},

		// What has no sort is told once, not again wherever it is used.
		{declaration("<variabledecl id='z'><usersort declaration='none'/></variabledecl>") +
			"<arc id='a' source='q' target='u'><hlinscription><structure><variable refvariable='z'/></structure></hlinscription></arc>" +
			"<transition id='t'><condition><structure><equality><variable refvariable='c'/><variable refvariable='z'/></equality></structure></condition></transition>",
			`2:22: sort "none" is not declared, expected the identifier of a <namedsort>`},
		{"<place id='x'><type><structure><usersort declaration='none'/></structure></type>" +
			"<hlinitialMarking><structure><all><usersort declaration='C'/></all></structure></hlinitialMarking></place>" +
			"<arc id='a' source='x' target='u'><hlinscription><structure><variable refvariable='c'/></structure></hlinscription></arc><arc id='b' source='u' target='x'/>",
			`1:32: sort "none" is not declared, expected the identifier of a <namedsort>`},
		{declaration("<namedsort id='A'><productsort><usersort declaration='A'/><usersort declaration='C'/></productsort></namedsort><variabledecl id='z'><usersort declaration='A'/></variabledecl>") +
			"<arc id='a' source='q' target='u'><hlinscription><structure><successor><variable refvariable='z'/></successor></structure></hlinscription></arc>",
			`2:1: sort "A" is defined by itself or wrongly, expected it not to be`},
		{declaration("<namedsort id='A'><finiteenumeration><feconstant id='red'/></finiteenumeration></namedsort>"),
			`2:38: <feconstant> "red" in <finiteenumeration>, expected <feconstant> with an identifier of its own`},

		// Places.
		{"<place id='x'><type><text>C</text></type></place>", `1:15: <type> with 0 terms, expected <structure> with one in it`},
		{"<place id='x'><initialMarking>1</initialMarking></place>",
			`1:15: <initialMarking> in <place> "x" has no meaning in a symmetric net, expected <name>, <type>, <hlinitialMarking>, <graphics> or <toolspecific>`},
		{"<place id='q'/>", `1:1: <place>: identifier "q" is in use, expected another`},
		{"<place id='x'><hlinitialMarking><text>5</text></hlinitialMarking></place>",
			`1:15: <hlinitialMarking> with 0 terms, expected <structure> with one in it`},
		{marking("<variable refvariable='p'/>"), `2:1: variable "p" in an initial marking, expected constants`},
		{marking("<tuple><subterm><useroperator declaration='red'/></subterm></tuple>"), `2:1: <tuple> of 1, expected a term of sort ("Colour"×"R")`},
		{marking("<all><usersort declaration='C'/></all>"), `2:1: <all> of sort "Colour", expected sort ("Colour"×"R")`},
		{marking("<tuple><subterm><useroperator declaration='red'/></subterm><subterm><numberconstant value='4'/></subterm></tuple>"),
			`2:69: <numberconstant> of value "4", expected a term of sort "R"`},

		// Arcs.
		{"<arc id='a' source='q' target='u'/>", `1:1: <arc> "a" without <hlinscription>, expected one of sort "Colour"`},
		{"<arc id='a' source='q' target='u'><inscription>1</inscription></arc>",
			`1:1: <arc> "a" without <hlinscription>, expected one of sort "Colour"` + "\nf:" +
				`1:35: <inscription> in <arc> "a" has no meaning in a symmetric net, expected <hlinscription>, <type>, <graphics> or <toolspecific>`},
		{"<arc id='a' source='q' target='qp'/>", `1:1: <arc> "a" leads from place "q" to place "qp", expected a place and a transition`},
		{inscription("<variable refvariable='r'/>"), `2:1: variable "r" of sort "R", expected a term of sort "Colour"`},
		{inscription("<variable refvariable='none'/>"), `2:1: variable "none" is not declared, expected the identifier of a <variabledecl>`},
		{inscription("<useroperator declaration='none'/>"), `2:1: constant "none" is not declared, expected one of sort "Colour"`},
		{inscription("<useroperator declaration='e'/>"), `2:1: constant "e" of sort "E", expected a term of sort "Colour"`},
		{inscription("<dotconstant/>"), `2:1: <dotconstant> where a term of sort "Colour" was expected`},
		{inscription("<unparsed/>"), `2:1: <unparsed> where a term of sort "Colour" was expected`},
		{inscription("<numberof><subterm><numberconstant value='-1'/></subterm><subterm><variable refvariable='c'/></subterm></numberof>"),
			`2:20: <numberconstant> of value "-1", expected <numberconstant> with an integer from 0 to 2^63-1`},
		{inscription("<scalarproduct><subterm><variable refvariable='c'/></subterm></scalarproduct>"), `2:1: <scalarproduct> has 1 operands, expected 2`},
		{inscription("<scalarproduct><subterm><numberconstant value='9000000000000000000'/></subterm><subterm><numberof><subterm><numberconstant value='2'/></subterm><subterm><variable refvariable='c'/></subterm></numberof></subterm></scalarproduct>"),
			`2:1: <scalarproduct> has more than 2^63-1 tokens, expected fewer`},
		{inscription("<successor/>"), `2:1: <successor> has 0 operands, expected 1`},
		{inscription("<variable refvariable='c'/><variable refvariable='c'/>"), `1:35: <hlinscription> with 2 terms, expected <structure> with one in it`},

		// Arcs of other kinds.
		{"<arc id='a' source='u' target='q' type='inhibitor'/>", `1:1: <arc> "a" is of type "inhibitor" and leads to place "q", expected it to lead from a place to a transition`},
		{"<arc id='a' source='q' target='u' type='reset'><hlinscription><structure><variable refvariable='c'/></structure></hlinscription></arc>", `1:1: <arc> "a" is of type "reset", expected "normal", "inhibitor" or "read": tools do not agree on what it is to take all tokens of a coloured place`},
		{"<arc id='a' source='u' target='q'><type value='test'/><hlinscription><structure><variable refvariable='c'/></structure></hlinscription></arc>",
			`1:1: <arc> "a" is of type "read" and leads to place "q", expected it to lead from a place to a transition`},
		{"<arc id='a' source='q' target='u' type='read'/>", `1:1: <arc> "a" without <hlinscription>, expected one of sort "Colour"`},
		{"<arc id='a' source='q' target='u' type='inhibitor' weight='0'/>", `1:1: <arc> "a" has attribute weight="0", expected a number from 1 to 2^63-1`},
		{"<arc id='a' source='q' target='u' weight='2'/>", `1:1: <arc> "a" has attribute weight="2", expected a label element, if it is meant at all` + "\nf:" +
			`1:1: <arc> "a" without <hlinscription>, expected one of sort "Colour"`},
		{"<arc id='a' source='q' target='u'><type value='inhibitor'/><hlinscription><structure><variable refvariable='c'/></structure></hlinscription></arc>",
			`1:1: <arc> "a" is an inhibitor arc from a place of several colours with <hlinscription>, expected TAPAAL's attribute type="inhibitor": it is not known whether tokens of one colour count, or of all`},
		{"<arc id='a' source='q' target='u' type='inhibitor'><hlinscription><structure><all><usersort declaration='C'/></all></structure></hlinscription></arc>",
			`1:1: <arc> "a" is an inhibitor arc whose <hlinscription> is no number of tokens of one colour, expected such a one: it looks at the tokens of all colours together`},
		{"<arc id='a' source='q' target='u' type='inhibitor' weight='3'><hlinscription><structure><variable refvariable='c'/></structure></hlinscription></arc>",
			`1:1: <arc> "a" has the weight 3 and 1 tokens in <hlinscription>, expected the same`},
		{"<arc id='a' source='q' target='u' type='inhibitor'><hlinscription><structure><variable refvariable='none'/></structure></hlinscription></arc>",
			`1:78: variable "none" is not declared, expected the identifier of a <variabledecl>`},

		// Guards.
		{guard("<equality><subterm><variable refvariable='c'/></subterm></equality>"), `2:1: <equality> has 1 operands, expected 2`},
		{guard("<equality><subterm><variable refvariable='c'/></subterm><subterm><variable refvariable='r'/></subterm></equality>"),
			`2:66: variable "r" of sort "R", expected a term of sort "Colour"`},
		{guard("<lessthan><subterm><variable refvariable='p'/></subterm><subterm><variable refvariable='p'/></subterm></lessthan>"),
			`2:1: <lessthan> of terms of sort ("Colour"×"R"), expected an ordered class`},
		{guard("<lessthan><subterm><successor><subterm><variable refvariable='e0'/></subterm></successor></subterm><subterm><variable refvariable='e0'/></subterm></lessthan>"),
			`2:20: <successor> in sort "E", expected a <cyclicenumeration>`},
		{guard("<equality><useroperator declaration='h'/><variable refvariable='c'/></equality>"),
			`2:11: part "h" of a partition, expected a term of sort "Colour"`},
		{guard("<equality><subterm><numberconstant value='1'/></subterm><subterm><numberconstant value='1'/></subterm></equality>"),
			`2:1: <equality> of terms whose sort is not known, expected a variable or a constant of an enumeration`},
		{guard("<variable refvariable='c'/>"),
			`2:1: <variable> in a guard, expected <and>, <or>, <not>, <imply>, <booleanconstant> or a comparison`},
		{guard("<booleanconstant value='1'/>"), `2:1: <booleanconstant> of value "1", expected "true" or "false"`},
		{guard("<equality><subterm><partitionelementof refpartition='H'><subterm><variable refvariable='c'/></subterm></partitionelementof></subterm><subterm><useroperator declaration='red'/></subterm></equality>"),
			`2:143: <useroperator> where a part of the partition of "Colour" was expected`},
		{guard("<equality><subterm><partitionelementof refpartition='G'><subterm><variable refvariable='c'/></subterm></partitionelementof></subterm><subterm><useroperator declaration='h'/></subterm></equality>"),
			`2:20: partition "G" is not declared, expected the identifier of a <partition>`},
		{"<transition id='t'><guard/></transition>",
			`1:20: <guard> in <transition> "t" has no meaning in a symmetric net, expected <name>, <condition>, <graphics> or <toolspecific>`},
	} {
		_, err := Reader{}.Read(strings.NewReader(head+c.text+"\n</net></pnml>"), "f")
		if err == nil {
			t.Errorf("%s:\n got no error\nwant f:%s", c.text, c.want)
			continue
		}
		if _, ok := err.(*Error); !ok && !strings.Contains(c.want, "\n") {
			t.Errorf("%s:\n got %v\nwant f:%s", c.text, err, c.want)
			continue
		}
		if got := movedUp(err); got != "f:"+c.want {
			t.Errorf("%s:\n got %s\nwant f:%s", c.text, got, c.want)
		}
	}
}

func ExampleReader_ReadDocument() {
	document, err := Reader{}.ReadDocumentFile("testdata/symmetric/ring.pnml")
	if err != nil {
		fmt.Println(err)
		return
	}
	u, err := document.Symmetric.Unfold(context.Background(), symmetric.Options{})
	fmt.Println(len(document.Symmetric.Places), u.Net.Places(), err)
	vocabulary := names.Of(u)
	for _, t := range vocabulary.Transitions("hand on") {
		fmt.Println(vocabulary.TransitionName(t))
	}
	skeleton, err := colourless.Skeleton(document.Symmetric)
	fmt.Println(skeleton.Initial(), err)
	// Output:
	// 5 18 <nil>
	// forward_1_3
	// forward_2_3
	// forward_3_3
	// [6 9 5 0 0] <nil>
}

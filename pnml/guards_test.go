package pnml

import (
	"fmt"
	"strings"
	"testing"

	"pnmc/petri/symmetric"
)

// TestGuardOperators counts the bindings of x and y in 1..3 that guards allow.
func TestGuardOperators(t *testing.T) {
	subterm := func(s string) string { return "<subterm>" + s + "</subterm>" }
	variable := func(id string) string { return fmt.Sprintf("<variable refvariable='%s'/>", id) }
	of := func(operator string, arguments ...string) string {
		text := ""
		for _, a := range arguments {
			text += subterm(a)
		}
		return "<" + operator + ">" + text + "</" + operator + ">"
	}
	x, y := variable("x"), variable("y")
	one := "<finiteintrangeconstant value='1'><finiteintrange start='1' end='3'/></finiteintrangeconstant>"
	xIsOne, yIsOne := of("equality", x, one), of("equality", y, "<numberconstant value='1'/>")
	for guard, want := range map[string]int{
		"":                             9,
		of("equality", x, y):           3,
		of("inequality", x, y):         6,
		of("lessthan", x, y):           3,
		of("lessthanorequal", x, y):    6,
		of("greaterthan", x, one):      6,
		of("greaterthanorequal", x, y): 6,
		of("ltp", x, y):                3,
		of("gtp", x, y):                3,
		xIsOne:                         3,
		of("and", xIsOne, yIsOne):      1,
		of("or", xIsOne, yIsOne):       5,
		of("not", xIsOne):              6,
		of("imply", xIsOne, yIsOne):    7,
		of("and", of("lessthan", x, y), of("not", of("or", xIsOne, yIsOne))):                                                   1,
		of("equality", subterm(subterm(x)), subterm(y)):                                                                        3,
		of("equality", of("tuple", x, y), of("tuple", y, x)):                                                                   3,
		of("equality", of("tuple", x, "<numberconstant value='1'/>"), of("tuple", "<numberconstant value='2'/>", y)):           1,
		of("equality", "<partitionelementof refpartition='H'>"+x+"</partitionelementof>", "<useroperator declaration='odd'/>"): 6,
		of("equality", of("tuple", x), variable("single")):                                                                     9,
		of("equality", variable("single"), of("tuple", x)):                                                                     9,
		of("equality", of("tuple", of("tuple", x)), of("tuple", variable("single"))):                                           9,
		of("inequality", of("tuple", x, y), variable("pair")):                                                                  72,
		"<booleanconstant value='true'/>":                                                                                      9,
		"<booleanconstant value='false'/>":                                                                                     0,
	} {
		if guard != "" {
			guard = "<condition><structure>" + guard + "</structure></condition>"
		}
		net := `<pnml><net id="n" type="symmetricnet"><declaration><structure><declarations>` +
			`<namedsort id="R"><finiteintrange start="1" end="3"/></namedsort>` +
			`<partition id="H"><usersort declaration="R"/><partitionelement id="odd"><numberconstant value="1"/>` +
			`<finiteintrangeconstant value="3"><usersort declaration="R"/></finiteintrangeconstant></partitionelement>` +
			`<partitionelement id="even"><numberconstant value="2"/></partitionelement></partition>` +
			`<variabledecl id="x"><usersort declaration="R"/></variabledecl><variabledecl id="y"><usersort declaration="R"/></variabledecl>` +
			`<variabledecl id="single"><productsort><usersort declaration="R"/></productsort></variabledecl>` +
			`<variabledecl id="pair"><productsort><usersort declaration="R"/><usersort declaration="R"/></productsort></variabledecl>` +
			`</declarations></structure></declaration>` +
			`<place id="p"><type><structure><usersort declaration="R"/></structure></type>` +
			`<hlinitialMarking><structure><all><usersort declaration="R"/></all></structure></hlinitialMarking></place>` +
			`<transition id="t">` + guard + `</transition>` +
			`<arc id="a" source="p" target="t"><hlinscription><structure>` + of("add", x, y) + `</structure></hlinscription></arc></net></pnml>`
		document, err := Reader{}.ReadDocument(strings.NewReader(net), "f")
		if err != nil {
			t.Errorf("%s: %v", guard, err)
			continue
		}
		for _, keepAll := range []bool{false, true} {
			u, err := document.Symmetric.Unfold(t.Context(), symmetric.Options{KeepAll: keepAll})
			if err != nil {
				t.Fatal(err)
			}
			if got := u.Net.Transitions(); got != want {
				t.Errorf("%s: %d bindings, expected %d", guard, got, want)
			}
		}
	}
}

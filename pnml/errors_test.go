package pnml

import (
	"errors"
	"fmt"
	"strings"
	"testing"
)

// TestErrors reads what cannot be honoured. A text that does not start with
// "<pnml" is put into a net; its lines are numbered from 1 nevertheless.
func TestErrors(t *testing.T) {
	const nodes = `<place id="p"/><place id="q"/><transition id="t"/><transition id="u"/>` + "\n"
	for _, c := range []struct{ text, want string }{
		// The text as XML.
		{"<pnml></net>", `1:13: element <pnml> closed by </net>; expected well-formed XML`},
		{"<pnml>\n<net", `2:5: unexpected EOF; expected well-formed XML`},
		{"<pnml", `1:6: unexpected EOF; expected well-formed XML`},
		{"<pnml>&undefined;</pnml>", `1:18: invalid character entity &undefined;; expected well-formed XML`},
		{"<pnml/>", `1:1: <pnml> is empty, expected <net> in it`},
		{"<pnml><place/></pnml>", `1:7: <place> in <pnml>, expected <net>`},
		{"<pnml>\n some text</pnml>", `1:7: text "some text" where an element was expected`},
		{"<pnml><net id='n'/></pnml><pnml/>", `1:27: <pnml> after </pnml>, expected the end`},
		{"<pnml><net id='n' id='m'/></pnml>", ""}, // never an element of the tree; harmless
		{"<place id='p' id='q'/>", `1:1: <place> has attribute "id" twice, expected it once`},
		{strings.Repeat("<page>", maxDepth), `1:11989: elements nest deeper than expected: the limit is 2000`},
		{"<place " + strings.Repeat("a='' ", 201) + "/>", `1:1: <place> has 201 attributes, expected at most 200`},

		// Net types.
		{"<pnml><net id='n' type='timedNet'/></pnml>", `1:7: <net> "n" is of type "timedNet", expected a place/transition net or a symmetric net`},
		{"<pnml><net id='n' type='" + strings.Repeat("x", 100) + "'/></pnml>",
			`1:7: <net> "n" is of type "` + strings.Repeat("x", 60) + `"…, expected a place/transition net or a symmetric net`},

		// Identifiers.
		{"<place/>", `1:1: <place> without id, expected an identifier`},
		{"<place id='p'/>\n<place id='p'/>", `2:1: <place>: identifier "p" is already that of a place, expected another`},
		{"<place id='p'/>\n <transition id='p'/>", `2:2: <transition>: identifier "p" is already that of a place, expected another`},
		{nodes + "<referencePlace id='p' ref='q'/>", `2:1: reference node: identifier "p" is in use, expected another`},
		{nodes + "<referencePlace id='r' ref='p'/>\n<referencePlace id='r' ref='q'/>",
			`3:1: reference node: identifier "r" is in use, expected another`},

		// References.
		{nodes + "<referencePlace id='r'/>", `2:1: <referencePlace> without ref, expected an identifier`},
		{nodes + "<referencePlace id='r' ref='missing'/>", `2:1: reference node "r" leads to "missing", expected the identifier of a node`},
		{nodes + "<referencePlace id='r' ref='t'/>", `2:1: reference node "r" leads to "t" of the other kind, expected places for places and transitions for transitions`},
		{nodes + "<referenceTransition id='r' ref='p'/>", `2:1: reference node "r" leads to "p" of the other kind, expected places for places and transitions for transitions`},
		{nodes + "<referencePlace id='r' ref='s'/>\n<referencePlace id='s' ref='r'/>",
			`3:1: reference node "s" leads to "r" in a circle or to no node, expected it to lead to a node`},
		{"<referencePlace id='r' ref='r'/>", `1:1: reference node "r" leads to "r" in a circle or to no node, expected it to lead to a node`},

		// Arcs.
		{nodes + "<arc id='a' source='p'/>", `2:1: <arc> without target, expected an identifier`},
		{nodes + "<arc id='a' source='p' target='q'/>", `2:1: <arc> "a" leads from place "p" to place "q", expected a place and a transition`},
		{nodes + "<arc source='t' target='u'/>", `2:1: <arc> leads from transition "t" to transition "u", expected a place and a transition`},
		{nodes + "<arc id='a' source='p' target='v'/>", `2:1: <arc> "a" leads to "v", expected the identifier of a node`},
		{nodes + "<arc id='a' source='v' target='t'/>", `2:1: <arc> "a" comes from "v", expected the identifier of a node`},
		{nodes + "<arc id='a' source='t' target='p'>\n <type value='inhibitor'/></arc>",
			`2:1: <arc> "a" is of type "inhibitor" and leads to place "p", expected it to lead from a place to a transition`},
		{nodes + "<arc id='a' source='p' target='t'><arctype><text>Reset</text></arctype><inscription><text>2</text></inscription></arc>",
			`2:1: <arc> "a" is of type "reset" and has the weight 2, expected none: it takes all tokens`},
		{nodes + "<arc id='a' type='timed' source='p' target='t'/>",
			`2:1: <arc> "a" is of type "timed", expected "normal", "inhibitor", "reset" or "read": another kind of arc cannot be honoured`},
		{nodes + "<arc id='a' source='p' target='t'><type value='transport'/></arc>",
			`2:35: <arc> "a" is of type "transport", expected "normal", "inhibitor", "reset" or "read": another kind of arc cannot be honoured`},
		{nodes + "<arc id='a' type='inhibitor' source='p' target='t'><type value='reset'/></arc>",
			`2:52: <arc> "a" is of type "reset", expected "inhibitor", as it is of that type, too`},
		{nodes + "<arc id='a' source='p' target='t' inscription='[0,5]'/>",
			`2:1: <arc> "a" has attribute inscription="[0,5]", expected a label element, if it is meant at all`},
		{nodes + "<arc id='a' source='p' target='t'><hlinscription/></arc>",
			`2:35: <hlinscription> in <arc> "a" has no meaning in a place/transition net, expected <inscription>, <type>, <graphics> or <toolspecific>`},
		{nodes + "<arc id='a' source='p' target='t'><inscription><text>9223372036854775807</text></inscription></arc><arc id='b' source='p' target='t'/>",
			`1:7: <net> "n": parallel arcs between "p" and "t" weigh more than 2^63-1, expected less`},

		{nodes + "<arc id='a' source='p' target='t'><inscription><text>[0,inf)</text></inscription></arc>",
			`2:35: <inscription> is "[0,inf)" in <arc> "a": intervals of time cannot be honoured, expected an integer`},
		{nodes + "<arc id='a' source='p' target='t'><inscription><text>[0,2</text></inscription></arc>",
			`2:35: <inscription> is "[0,2" in <arc> "a": intervals of time cannot be honoured, expected an integer`},
		{nodes + "<transportArc id='a' source='p' transition='t' target='p'/>",
			`2:1: <transportArc> "a": transport arcs cannot be honoured, expected an <arc>`},

		// Numbers.
		{nodes + "<arc id='a' source='p' target='t'><inscription><text>0</text></inscription></arc>",
			`2:35: <inscription> is "0", expected an integer from 1 to 2^63-1`},
		{"<place id='p'><initialMarking><text>9223372036854775808</text></initialMarking></place>",
			`1:15: <initialMarking> is "9223372036854775808", expected an integer from 0 to 2^63-1`},
		{"<place id='p'><initialMarking><text>1.5</text></initialMarking></place>",
			`1:15: <initialMarking> is "1.5", expected an integer from 0 to 2^63-1`},
		{"<place id='p'><initialMarking><text>1,5</text></initialMarking></place>",
			`1:15: <initialMarking> is "1,5", expected an integer`},
		{"<place id='p'><initialMarking><text/></initialMarking></place>", ""}, // as if it were absent
		{"<place id='p'><initialMarking>Default,2,Red,1</initialMarking></place>",
			`1:15: <initialMarking> has tokens of class "Red", expected the class "Default" only`},
		{"<place id='p'><initialMarking><text>1</text><text>2</text></initialMarking></place>",
			`1:45: second <text> in <initialMarking>, expected one`},
		{"<place id='p'><initialMarking><text>1<b/></text></initialMarking></place>",
			`1:38: <b> in <text>, expected characters only`},
		{"<place id='p'><initialMarking><structure/></initialMarking></place>",
			`1:31: <structure> in <initialMarking>, expected <text>`},
		{"<place id='p'><initialMarking>1</initialMarking>\n<initialMarking>2</initialMarking></place>",
			`2:1: second <initialMarking> in <place> "p", expected one`},

		// Time, capacities, priorities, and what is not known.
		{"<place id='p'><capacity><value>many</value></capacity></place>",
			`1:15: <capacity> of <place> "p" is "many", expected a number of tokens, or 0 for any number`},
		{"<place id='p' capacity='2'><initialMarking><text>3</text></initialMarking></place>",
			`1:1: <place>: place "p": initial marking 3 exceeds the capacity 2, expected no more tokens than it may hold`},
		{"<place id='p' invariant='&lt; 3'/>",
			`1:1: <place> "p" has attribute invariant="< 3", expected a label element, if it is meant at all`},
		{"<place id='p'><hlinitialMarking/></place>",
			`1:15: <hlinitialMarking> in <place> "p" has no meaning in a place/transition net, expected <name>, <initialMarking>, <graphics> or <toolspecific>`},
		{"<transition id='t'>\n<interval/></transition>",
			`2:1: <interval> in <transition> "t" has no meaning in a place/transition net, expected <name>, <graphics> or <toolspecific>`},
		{"<transition id='t'><delay>1</delay></transition>",
			`1:20: <delay> in <transition> "t" has no meaning in a place/transition net, expected <name>, <graphics> or <toolspecific>`},
		{"<transition id='t'><timed><value>true</value></timed></transition>",
			`1:20: <timed> of <transition> "t" is "true", expected "false": time cannot be honoured`},
		{"<transition id='t'><priority>1</priority></transition><transition id='u'><priority>2</priority></transition>",
			`1:74: <priority> of <transition> "u" is "2", expected "1" as that of "t": priorities cannot be honoured`},
		{"<transition id='t'><priority>1</priority></transition><transition id='u'/>",
			`1:55: <transition> "u" has no <priority>, expected "1" as that of "t": priorities cannot be honoured`},
		{"<transition id='t'>text</transition>", `1:1: <transition> "t" holds text "text", expected elements`},
		{"<module/>", `1:1: <module> in <net>, expected <page>, <place>, <transition>, <arc>, <referencePlace>, <referenceTransition>, <name>, <graphics> or <toolspecific>`},
		{"<referencePlace id='r' ref='p'><initialMarking/></referencePlace><place id='p'/>",
			`1:32: <initialMarking> in <referencePlace> "r" has no meaning in a place/transition net, expected <name>, <graphics> or <toolspecific>`},

		// Several findings, in document order.
		{"<place/>\n<arc id='a' source='x' target='y'/>\n<transition id='t'><guard/></transition>",
			`1:1: <place> without id, expected an identifier` + "\nf:" +
				`2:1: <arc> "a" comes from "x", expected the identifier of a node` + "\nf:" +
				`3:20: <guard> in <transition> "t" has no meaning in a place/transition net, expected <name>, <graphics> or <toolspecific>`},
	} {
		checkError(t, c.text, c.want)
	}
}

// TestUnitErrors reads nested units that do not nest, or not all places.
func TestUnitErrors(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{``, `2:1: unit structure without <structure>, expected one`},
		{`<structure units="0" safe="true"/>`, `3:1: <structure> without root, expected an identifier`},
		{`<structure root="u"/>`, `3:1: root "u" is no unit, expected the identifier of a <unit>`},
		{`<structure root="u" units="2"><unit id="u"><places>p q</places></unit></structure>`,
			`3:1: units="2", expected the number of <unit> elements, which is 1`},
		{`<structure root="u" safe="maybe"><unit id="u"><places>p q</places></unit></structure>`,
			`3:1: safe="maybe", expected "true" or "false"`},
		{`<structure root="u"><unit id="u"><places>p</places></unit></structure>`,
			`3:1: 1 places are in no unit, expected each place in one`},
		{`<structure root="u"><unit id="u"><places>p q p</places></unit></structure>`,
			`3:21: <unit> "u" has place "p" again, expected each place in one unit`},
		{`<structure root="u"><unit id="u"><places>p q t</places></unit></structure>`,
			`3:21: <unit> "u" has "t", expected the identifier of a place`},
		{`<structure root="u"><unit id="u"><places>p q</places><subunits>v</subunits></unit></structure>`,
			`3:21: <unit> "u" has subunit "v", expected the identifier of a <unit>`},
		{`<structure root="u"><unit id="u"><places>p q</places><subunits>u</subunits></unit></structure>`,
			`3:21: <unit> "u" has subunit "u", expected one that is neither the root nor in another unit`},
		{`<structure root="u"><unit id="u"><places>p q</places></unit><unit id="v"><subunits>w</subunits></unit><unit id="w"><subunits>v</subunits></unit></structure>`,
			`3:61: <unit> "v" is not below the root, expected all units to be` + "\nf:" +
				`3:103: <unit> "w" is not below the root, expected all units to be`},
		{`<structure root="u"><unit id="u"><places>p q</places></unit><unit id="u"/></structure>`,
			`3:61: second <unit> "u", expected distinct identifiers`},
		{`<structure root="u"><unit id="u"><places>p q</places><place/></unit><mode/></structure><depth/>`,
			`3:54: <place> in <unit> "u", expected <places> or <subunits>` + "\nf:" +
				`3:69: <mode> in <structure>, expected <unit>` + "\nf:" +
				`3:88: <depth> in a unit structure, expected <size> or <structure>`},
	} {
		checkError(t, "<place id='p'/><place id='q'/><transition id='t'/>\n"+
			"<toolspecific tool='nupn' version='1.1'>\n"+c.text+"</toolspecific>", c.want)
	}
}

func checkError(t *testing.T, text, want string) {
	t.Helper()
	full := text
	if !strings.HasPrefix(text, "<pnml") {
		// A declaration moves the first line of the text to its column 1.
		full = "<pnml><net id='n' type='ptnet'>\n" + text + "\n</net></pnml>"
	}
	_, err := Reader{}.Read(strings.NewReader(full), "f")
	if want == "" {
		if err != nil {
			t.Errorf("%q:\n got %v\nwant no error", text, err)
		}
		return
	}
	if err == nil {
		t.Errorf("%q:\n got no error\nwant f:%s", text, want)
		return
	}
	got := err.Error()
	if full != text {
		got = movedUp(err)
	}
	if got != "f:"+want {
		t.Errorf("%q:\n got %s\nwant f:%s", text, got, want)
	}
	var located *Error
	if !errors.As(err, &located) {
		t.Errorf("%q: %T in the error, expected an *Error", text, err)
	}
}

// movedUp prints the findings of err as if the line before the text were not.
func movedUp(err error) string {
	all := []error{err}
	if joined, ok := err.(interface{ Unwrap() []error }); ok {
		all = joined.Unwrap()
	}
	var lines []string
	for _, one := range all {
		e := *one.(*Error)
		e.Line = max(1, e.Line-1)
		lines = append(lines, e.Error())
	}
	return strings.Join(lines, "\n")
}

// TestFindingsAreBounded makes sure that a hopeless document ends early.
func TestFindingsAreBounded(t *testing.T) {
	text := "<pnml><net id='n'>" + strings.Repeat("<place/>", 1000) + strings.Repeat("<arc/>", 1000) + "</net></pnml>"
	_, err := Reader{}.Read(strings.NewReader(text), "f")
	if err == nil {
		t.Fatal("no error")
	}
	if n := len(strings.Split(err.Error(), "\n")); n != maxFindings {
		t.Errorf("%d findings, expected %d:\n%v", n, maxFindings, fmt.Sprint(err))
	}
}

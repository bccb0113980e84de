package draw

import (
	"bytes"
	"fmt"
	"strings"

	"pnmc/internal/torture/twin"
)

// Texts with one token of many megabytes: a name, a comment, a label, a number, or white space.
// A reader that holds a token as a whole, or copies it, takes memory that no limit asks about.

// stretch returns 1 to 80 MB of one short text.
func stretch(s Source, units ...string) string {
	unit := Pick(s, units...)
	return strings.Repeat(unit, s.Magnitude(1<<20, 80<<20)/len(unit))
}

// insert puts a part behind one of the places at which the mark stands in a text.
func insert(s Source, text []byte, mark, part string) []byte {
	n := bytes.Count(text, []byte(mark))
	if n == 0 {
		return append(text, part...)
	}
	at := 0
	for range s.Between(1, n) {
		at += bytes.Index(text[at:], []byte(mark)) + len(mark)
	}
	long := make([]byte, 0, len(text)+len(part))
	return append(append(append(long, text[:at]...), part...), text[at:]...)
}

// framed returns a long token of a few kinds of text, between one of the pairs of frames.
func framed(s Source, frames ...[2]string) string {
	f := Pick(s, frames...)
	return f[0] + stretch(s, "a", "a", "é", " ", "0", "9", "\t", "a ", "- ", "\n") + f[1]
}

// longNet draws a small net in one of the formats, with a long token.
func longNet(s Source) *Net {
	if s.Chance(0.2) {
		return oneName(s)
	}
	kind := Pick(s, "net-small", "net-small", "net-claims", "net-coloured", "net-tina", "net-lola")
	n := NewNet(s, kind)
	n.Twin = nil
	switch kind {
	case "net-tina":
		n.Text = insert(s, n.Text, "\n", framed(s, [2]string{"# ", "\n"}, [2]string{}, [2]string{"pl {", "} (1)\n"}, [2]string{"pl x (", ")\n"}))
	case "net-lola":
		n.Text = insert(s, n.Text, ";", framed(s, [2]string{"{ ", " }"}, [2]string{}, [2]string{"\nTRANSITION ", " CONSUME ; PRODUCE ;"}))
	default:
		if s.Chance(0.5) {
			n.Text = insert(s, n.Text, ">", framed(s, xmlFrames...))
			break
		}
		part := framed(s, // in a node of its own, where it can be read
			[2]string{`<place id="long"><name><text>`, `</text></name></place>`},
			[2]string{`<place id="`, `"/>`},
			[2]string{`<place id="long"><initialMarking><text>`, `</text></initialMarking></place>`},
			[2]string{`<transition id="long"><toolspecific tool="x" version="1">`, `</toolspecific></transition>`})
		n.Text = bytes.Replace(n.Text, []byte("</page>"), []byte(part+"</page>"), 1)
	}
	return n
}

// xmlFrames make a comment, white space or text, an instruction, or a name of XML.
var xmlFrames = [][2]string{{"<!-- ", " -->"}, {"", ""}, {"<?x ", "?>"}, {"<![CDATA[", "]]>"}, {"<a", "/>"}}

// longFormula draws a small formula with a long token.
func longFormula(s Source, atoms []*twin.Atom) *Formula {
	text := smallFormula(s, atoms).Text
	return &Formula{Text: strings.ReplaceAll(framed(s, [2]string{"", text}, [2]string{text + ` & "`, `"`}, [2]string{text + " | X[", "1] " + atoms[0].Quoted()},
		[2]string{"!(" + text + ") & ", ""}), "\n", " ")}
}

// longAutomata draws small automata with a long token.
func longAutomata(s Source, atoms []*twin.Atom) *Automata {
	a := NewAutomata(s, "automaton-small", atoms)
	a.Twins = nil
	mark, frames := " ", [][2]string{{"/* ", " */ "}, {"", ""}}
	if s.Chance(0.5) {
		mark, frames = "HOA: v1\n", [][2]string{{`tool: "`, "\"\n"}, {"", ": 1\n"}, {`name: "`, "\"\n"}}
	}
	a.Text = insert(s, a.Text, mark, framed(s, frames...))
	return a
}

// longDrawing draws a small testing automaton with a long token.
func longDrawing(s Source, names []string) []byte {
	text := drawing(s, names, s.Between(1, 8), s.Between(1, 5), s.IntN(4))
	return insert(s, text, "\n", framed(s, [2]string{"/* ", " */\n"}, [2]string{"// ", "\n"}, [2]string{}, [2]string{"  comment=\"", "\"\n"}, [2]string{"  2 [label=\"", "\"]\n"}))
}

// long has a long token in a small table.
func (t *Table) long(s Source) {
	t.small(s)
	t.Net.Twin = nil
	t.Text = insert(s, t.Text, Pick(s, " ", "\n"), framed(s, [2]string{}, [2]string{`"`, `" `}))
}

// long has a long token in a small file, or very many properties.
func (p *Properties) long(s Source, examination string, net *Net) {
	p.small(s, examination, net)
	p.Asked = nil
	if s.Chance(0.3) {
		var many strings.Builder
		for i := range s.Magnitude(1000, 300_000) {
			fmt.Fprintf(&many, "<property><id>many-%d</id><formula><all-paths><globally><deadlock/></globally></all-paths></formula></property>", i)
		}
		p.Text = insert(s, p.Text, "</property>", many.String())
		return
	}
	if s.Chance(0.5) {
		p.Text = insert(s, p.Text, Pick(s, "<id>", "<description>"), framed(s, [2]string{}))
		return
	}
	p.Text = insert(s, p.Text, ">", framed(s, xmlFrames...))
}

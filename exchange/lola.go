package exchange

import (
	"bufio"
	"io"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/alecthomas/participle/v2"
	"github.com/alecthomas/participle/v2/lexer"

	"pnmc/petri"
)

// LoLA's format lists the places, the marking, and the transitions with what each consumes and
// produces. (K. Wolf, "Petri Net Model Checking with LoLA 2", 2018; a place may be claimed SAFE,
// which is not believed.)

var lolaLexer = lexer.MustSimple([]lexer.SimpleRule{
	{Name: "Comment", Pattern: `\{[^}]*\}|//[^\n]*`},
	{Name: "Space", Pattern: `\s+`},
	{Name: "Punctuation", Pattern: `[,;:]`},
	{Name: "Word", Pattern: `[^,;:()\s{}]+`},
})

type lolaNet struct {
	First       *lolaPlaces       `parser:"'PLACE' @@"`
	Places      []*lolaPlaces     `parser:"@@*"`
	Marking     []*lolaEntry      `parser:"('MARKING' (@@ (',' @@)*)? ';')?"`
	Transitions []*lolaTransition `parser:"@@*"`
}

type lolaPlaces struct {
	Safe   bool        `parser:"(@'SAFE' Word? ':')?"`
	Places []*lolaName `parser:"(?! 'MARKING' | 'TRANSITION') @@ (',' @@)* ';'"`
}

type lolaTransition struct {
	Name     *lolaName    `parser:"'TRANSITION' @@"`
	Fairness string       `parser:"(@('STRONG' | 'WEAK') 'FAIR')?"`
	Consume  []*lolaEntry `parser:"'CONSUME' (@@ (',' @@)*)? ';'"`
	Produce  []*lolaEntry `parser:"'PRODUCE' (@@ (',' @@)*)? ';'"`
}

type lolaEntry struct {
	Name  *lolaName `parser:"@@"`
	Count string    `parser:"(':' @Word)?"`
}

type lolaName struct {
	Pos  lexer.Position
	Text string `parser:"@Word"`
}

var lolaParser = participle.MustBuild[lolaNet](participle.Lexer(lolaLexer), participle.Elide("Comment", "Space"), participle.UseLookahead(2))

// textWork is about what is taken for each byte of a text that is read as a whole.
const textWork = 96

// ReadLoLA reads a net from LoLA's text; file is its name in messages. An error is an *Error, that
// of r, or the limit's.
func ReadLoLA(r io.Reader, file string, limit Limit) (*petri.Net, error) {
	var text []byte
	buffer := make([]byte, 1<<16)
	for {
		n, err := r.Read(buffer)
		if limited := limit.ask(textWork * n); limited != nil {
			return nil, limited
		}
		text = append(text, buffer[:n]...)
		if err == io.EOF {
			break
		}
		if err != nil {
			return nil, err
		}
	}
	tree, err := lolaParser.ParseBytes(file, text)
	if err != nil {
		return nil, grammarError(err, file, 0)
	}
	a := newAssembly()
	for _, group := range slices.Insert(tree.Places, 0, tree.First) {
		for _, p := range group.Places {
			if _, known := a.placeOf[p.Text]; known {
				return nil, errorAt(p.Pos, nil, "second place %q, expected another identifier", p.Text)
			}
			a.place(p.Text, p.Pos)
		}
	}
	for _, m := range tree.Marking {
		p, count, err := a.lolaEntry(m)
		if err != nil {
			return nil, err
		}
		if a.places[p].tokens += count; a.places[p].tokens < 0 {
			return nil, errorAt(m.Name.Pos, nil, "marking of %q, expected less than 2^63", m.Name.Text)
		}
	}
	for _, t := range tree.Transitions {
		if err := a.lolaTransition(t); err != nil {
			return nil, err
		}
	}
	return a.build()
}

// lolaEntry is a known place and a count, 1 if there is none.
func (a *assembly) lolaEntry(e *lolaEntry) (place int, count int64, err error) {
	place, known := a.placeOf[e.Name.Text]
	if !known {
		return 0, 0, errorAt(e.Name.Pos, nil, "%q is no place, expected one of the list", e.Name.Text)
	}
	if e.Count == "" {
		return place, 1, nil
	}
	if count, err = strconv.ParseInt(e.Count, 10, 64); err != nil || count < 0 {
		return 0, 0, errorAt(e.Name.Pos, nil, "%q behind %q, expected a number below 2^63", e.Count, e.Name.Text)
	}
	return place, count, nil
}

func (a *assembly) lolaTransition(t *lolaTransition) error {
	if _, known := a.transitOf[t.Name.Text]; known {
		return errorAt(t.Name.Pos, nil, "second transition %q, expected another identifier", t.Name.Text)
	}
	if t.Fairness != "" {
		return errorAt(t.Name.Pos, nil, "transition %q is %s FAIR, expected neither: fairness cannot be honoured", t.Name.Text, t.Fairness)
	}
	number := a.transition(t.Name.Text, t.Name.Pos)
	for i, entries := range [][]*lolaEntry{t.Consume, t.Produce} {
		for _, e := range entries {
			p, weight, err := a.lolaEntry(e)
			if err != nil {
				return err
			}
			if weight > 0 {
				a.arcs = append(a.arcs, assembledArc{[]arcSort{consumes, produces}[i], p, number, weight, e.Name.Pos})
			}
		}
	}
	return nil
}

// lolaWord is what an identifier must be, and lolaKeywords what it must not be.
var (
	lolaWord     = regexp.MustCompile(`^[^,;:()\s{}]+$`)
	lolaKeywords = []string{"PLACE", "MARKING", "TRANSITION", "CONSUME", "PRODUCE", "SAFE", "STRONG", "WEAK", "FAIR", "NUMBER"}
)

// WriteLoLA writes net in LoLA's format, with identifiers and no names. The error is that of w, or names
// a node of which the format cannot say all.
func WriteLoLA(w io.Writer, net *petri.Net) error {
	if err := writableInLoLA(net); err != nil {
		return err
	}
	out := bufio.NewWriter(w)
	list := func(head string, arcs []petri.Arc) {
		out.WriteString(head)
		for i, a := range arcs {
			if i > 0 {
				out.WriteByte(',')
			}
			out.WriteString(" " + net.PlaceLabel(a.Place).ID + " : " + strconv.FormatInt(a.Weight, 10))
		}
		out.WriteString(";\n")
	}
	out.WriteString("PLACE")
	var marking []petri.Arc
	for p := range petri.Place(net.Places()) {
		if p > 0 {
			out.WriteByte(',')
		}
		out.WriteString("\n  " + net.PlaceLabel(p).ID)
		if n := net.InitialTokens(p); n > 0 {
			marking = append(marking, petri.Arc{Place: p, Weight: n})
		}
	}
	out.WriteString(";\n")
	list("MARKING", marking)
	for t := range petri.Transition(net.Transitions()) {
		out.WriteString("TRANSITION " + net.TransitionLabel(t).ID + "\n")
		list("  CONSUME", net.Pre(t))
		list("  PRODUCE", net.Post(t))
	}
	return out.Flush()
}

// writableInLoLA is an error that names a node of which the format cannot say all.
func writableInLoLA(net *petri.Net) error {
	const format = "LoLA's format"
	fits := func(kind string, l petri.Label) error {
		if !lolaWord.MatchString(l.ID) || slices.Contains(lolaKeywords, l.ID) || strings.HasPrefix(l.ID, "//") {
			return cannotSay(kind, l, format, "its identifier")
		}
		return nil
	}
	if net.Places() == 0 {
		return cannotSay("net", petri.Label{ID: net.ID}, format, "that there is no place")
	}
	for p := range petri.Place(net.Places()) {
		if err := fits("place", net.PlaceLabel(p)); err != nil {
			return err
		}
		if net.Capacity(p) != petri.Unbounded {
			return cannotSay("place", net.PlaceLabel(p), format, "its capacity %d", net.Capacity(p))
		}
	}
	for t := range petri.Transition(net.Transitions()) {
		label := net.TransitionLabel(t)
		if err := fits("transition", label); err != nil {
			return err
		}
		if arcs := net.Inhibitors(t); len(arcs) > 0 {
			return cannotSay("transition", label, format, "its inhibitor arc from %q", net.PlaceLabel(arcs[0].Place).ID)
		}
		if resets := net.Resets(t); len(resets) > 0 {
			return cannotSay("transition", label, format, "its reset arc from %q", net.PlaceLabel(resets[0]).ID)
		}
	}
	return nil
}

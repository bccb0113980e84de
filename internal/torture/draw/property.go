package draw

import (
	"fmt"
	"strings"

	"pnmc/internal/torture/twin"
)

// Properties is a file of the contest, with what it asks.
type Properties struct {
	Kind string
	Text []byte
	// Asked are the questions by identifier; nil if the twin can't have them.
	Asked map[string]Question
}

// Question is a formula, or places whose bound is asked. It is empty if the twin can't decide it.
type Question struct {
	Formula *twin.Formula
	Places  []string
}

// PropertyKinds returns the names of the kinds of property files.
func PropertyKinds() []string {
	return []string{"properties-small", "properties-deep", "properties-wide", "properties-alternating", "properties-equivalences",
		"properties-steps", "properties-lists", "properties-wrong", "properties-damaged", "properties-long"}
}

// NewProperties draws the property file of an examination of the net.
//
// Small files have questions for the twin. Deep ones nest thousands of elements, for
// recursion without a bound. Wide ones have a sum of up to 2000 places, or as many operands.
// In alternating ones, operators take turns thousands of times, and equivalences lie in
// equivalences, for what looks twice below each; the twin has questions of those that are not deep.
// Those of steps say how often an operator stands there, and those of lists name nodes thousands of times.
// Wrong ones name a place that is not there, in each of thousands of properties, for messages
// whose cost grows with the number of mistakes. Damaged ones are no XML any more.
func NewProperties(s Source, kind, examination string, net *Net) *Properties {
	p := &Properties{Kind: kind}
	switch kind {
	case "properties-small":
		p.small(s, examination, net)
	case "properties-deep":
		p.deep(s, examination, net)
	case "properties-wide":
		p.wide(s, examination, net)
	case "properties-alternating":
		p.alternating(s, examination, net)
	case "properties-equivalences":
		p.equivalences(s, examination, net)
	case "properties-steps":
		p.steps(s, examination, net)
	case "properties-lists":
		p.lists(s, examination, net)
	case "properties-wrong":
		p.wrong(s)
	case "properties-long":
		p.long(s, examination, net)
	case "properties-damaged":
		p.small(s, examination, net)
		p.Asked, p.Text = nil, Damage(s, p.Text)
	default:
		panic("no kind of property files: " + kind)
	}
	return p
}

// small has up to 16 properties, which the twin can decide on a small net.
func (p *Properties) small(s Source, examination string, net *Net) {
	p.Asked = map[string]Question{}
	var b strings.Builder
	b.WriteString(propertiesHead)
	form := "net-%s-%02d"
	if s.Chance(0.1) {
		form = "net, %s of %02d" // as TAPAAL's, which have spaces
	}
	for i := range s.Between(1, 16) {
		id := fmt.Sprintf(form, examination, i)
		q := NewQuestion(s, examination, net)
		p.Asked[id] = q
		property(&b, id, func() {
			if q.Places != nil {
				b.WriteString("<place-bound>")
				for _, x := range q.Places {
					b.WriteString("<place>" + x + "</place>")
				}
				b.WriteString("</place-bound>")
				return
			}
			q.Formula.XML(&b)
		})
	}
	b.WriteString("</property-set>\n")
	p.Text = []byte(b.String())
}

const propertiesHead = "<?xml version=\"1.0\"?>\n<property-set xmlns=\"http://mcc.lip6.fr/\">\n"

func property(b *strings.Builder, id string, formula func()) {
	fmt.Fprintf(b, "<property><id>%s</id><description>drawn</description><formula>", id)
	formula()
	b.WriteString("</formula></property>\n")
}

// NewQuestion draws what an examination may ask of the net.
func NewQuestion(s Source, examination string, net *Net) Question {
	if examination == "UpperBounds" && len(net.Places) > 0 {
		var places []string
		for range s.Between(1, 2) {
			if x := Pick(s, net.Places...); len(places) == 0 || x != places[0] {
				places = append(places, x)
			}
		}
		return Question{Places: places}
	}
	atoms := Atoms(s, net, s.Between(1, 3))
	switch examination {
	case "LTLCardinality", "LTLFireability":
		return Question{Formula: twin.Unary(twin.AllPaths, contestLTL(s, atoms, s.Between(2, 7)))}
	case "CTLCardinality", "CTLFireability":
		return Question{Formula: ctl(s, atoms, s.Between(2, 5))}
	}
	path := twin.Unary(twin.SomePath, twin.Unary(twin.Finally, boolean(s, atoms, 3)))
	if s.Chance(0.5) {
		path = twin.Unary(twin.AllPaths, twin.Unary(twin.Globally, boolean(s, atoms, 3)))
	}
	return Question{Formula: path}
}

// boolean draws a formula without temporal operators.
func boolean(s Source, atoms []*twin.Atom, depth int) *twin.Formula {
	switch k := s.IntN(4); {
	case depth == 0 || k == 0:
		return twin.Proposition(Pick(s, atoms...))
	case k == 1:
		return twin.Unary(twin.Not, boolean(s, atoms, depth-1))
	}
	return twin.Binary(Pick(s, twin.And, twin.Or), boolean(s, atoms, depth-1), boolean(s, atoms, depth-1))
}

// contestLTL draws a formula with the operators that the contest has.
func contestLTL(s Source, atoms []*twin.Atom, size int) *twin.Formula {
	if size <= 1 {
		return boolean(s, atoms, 1)
	}
	if size == 2 || s.Chance(0.5) {
		return twin.Unary(Pick(s, twin.Not, twin.Next, twin.Finally, twin.Globally), contestLTL(s, atoms, size-1))
	}
	left := s.Between(1, size-2)
	return twin.Binary(Pick(s, twin.And, twin.Or, twin.Until, twin.Until), contestLTL(s, atoms, left), contestLTL(s, atoms, size-1-left))
}

// ctl draws a formula of branching time, so many operators deep at most.
func ctl(s Source, atoms []*twin.Atom, depth int) *twin.Formula {
	switch k := s.IntN(6); {
	case depth == 0 || k == 0:
		return twin.Proposition(Pick(s, atoms...))
	case k == 1:
		return twin.Unary(twin.Not, ctl(s, atoms, depth-1))
	case k == 2:
		return twin.Binary(Pick(s, twin.And, twin.Or), ctl(s, atoms, depth-1), ctl(s, atoms, depth-1))
	}
	paths := Pick(s, twin.AllPaths, twin.SomePath)
	if s.Chance(0.3) {
		return twin.Unary(paths, twin.Binary(twin.Until, ctl(s, atoms, depth-1), ctl(s, atoms, depth-1)))
	}
	return twin.Unary(paths, twin.Unary(Pick(s, twin.Next, twin.Finally, twin.Globally), ctl(s, atoms, depth-1)))
}

// deep nests elements thousands deep.
func (p *Properties) deep(s Source, examination string, net *Net) {
	depth := s.Magnitude(10, 10000)
	temporal := []string{"negation", "negation"}
	switch {
	case strings.HasPrefix(examination, "CTL"):
		temporal = append(temporal, "exists-path|next", "all-paths|globally", "exists-path|finally", "all-paths|next")
	case strings.HasPrefix(examination, "LTL"):
		temporal = append(temporal, "next", "globally", "finally")
	}
	var open []string
	for range depth {
		open = append(open, strings.Split(Pick(s, temporal...), "|")...)
	}
	var b strings.Builder
	b.WriteString(propertiesHead)
	property(&b, "net-deep-00", func() {
		around := []string{"exists-path", "finally"}
		if strings.HasPrefix(examination, "LTL") {
			around = []string{"all-paths"}
		}
		open = append(around, open...)
		for _, x := range open {
			b.WriteString("<" + x + ">")
		}
		twin.Proposition(Atoms(s, net, 1)[0]).XML(&b)
		for i := range open {
			b.WriteString("</" + open[len(open)-1-i] + ">")
		}
	})
	b.WriteString("</property-set>\n")
	p.Text = []byte(b.String())
}

// wrong has thousands of properties of a net without such a place.
func (p *Properties) wrong(s Source) {
	var b strings.Builder
	b.WriteString(propertiesHead)
	for i := range s.Magnitude(100, 10000) {
		property(&b, fmt.Sprintf("net-wrong-%02d", i), func() { b.WriteString("<place-bound><place>nowhere</place></place-bound>") })
	}
	b.WriteString("</property-set>\n")
	p.Text = []byte(b.String())
}

// wide has conjunctions of hundreds, or sums of many places.
func (p *Properties) wide(s Source, examination string, net *Net) {
	var b strings.Builder
	b.WriteString(propertiesHead)
	n := s.Magnitude(5, 2000)
	property(&b, "net-wide-00", func() {
		if examination == "UpperBounds" && len(net.Places) > 0 {
			b.WriteString("<place-bound>")
			for range n {
				b.WriteString("<place>" + Pick(s, net.Places...) + "</place>")
			}
			b.WriteString("</place-bound>")
			return
		}
		path := Pick(s, "finally", "globally")
		paths := map[string]string{"finally": "exists-path", "globally": "all-paths"}[path]
		if strings.HasPrefix(examination, "LTL") {
			paths = "all-paths"
		}
		junction := Pick(s, "conjunction", "disjunction")
		fmt.Fprintf(&b, "<%s><%s><%s>", paths, path, junction)
		for _, a := range Atoms(s, net, n) {
			twin.Proposition(a).XML(&b)
		}
		fmt.Fprintf(&b, "</%s></%s></%s>", junction, path, paths)
	})
	b.WriteString("</property-set>\n")
	p.Text = []byte(b.String())
}

package draw

import (
	"fmt"
	"strings"
)

// longTerms draws a coloured net whose terms or declarations stand for far more than they are long, or of
// which very many have to be looked at together:
//
//   - tuples of two long sums, and of dozens of other parts;
//   - a guard that is an "or" of two "and" over thousands of variables, or one "and" of inequalities;
//   - dozens of partitions of a class of a million colours;
//   - the name of a part of a partition, of thousands of colours, again and again;
//   - thousands of places over a large class; or tens of thousands without colours, around a transition.
func longTerms(s Source) *Net {
	w := &terms{pnml: newPNML("symmetricnet")}
	switch s.IntN(6) {
	case 0:
		w.sums(s, s.Magnitude(2, 1000), s.Magnitude(2, 80))
	case 1, 2:
		w.guards(s, s.Magnitude(2, 6000))
	case 3:
		w.partitions(s.Magnitude(1, 40), 1<<s.Between(1, 20))
	case 4:
		w.parts(s.Magnitude(2, 5000), s.Magnitude(2, 2000))
	default:
		if s.Chance(0.5) {
			w.around(s.Magnitude(10, wideArcs))
		} else {
			w.overClass(s.Magnitude(10, 3000), 1<<s.Between(1, 20))
		}
	}
	w.WriteString("</page><declaration><structure><declarations>" + w.declared.String() + "</declarations></structure></declaration></net></pnml>\n")
	return &Net{Text: []byte(w.String()), Places: w.places[:min(len(w.places), 50)], Transitions: w.transitions, Coloured: true}
}

// terms writes a net and its declarations, which stand behind it.
type terms struct {
	*pnml
	declared strings.Builder
}

// class declares a range of numbers as a class.
func (w *terms) class(id string, colours int) {
	fmt.Fprintf(&w.declared, `<namedsort id="%s" name="%s"><finiteintrange start="1" end="%d"/></namedsort>`, id, id, colours)
}

// colour returns one of a class of so many.
func colour(value, colours int) string {
	return fmt.Sprintf(`<finiteintrangeconstant value="%d"><finiteintrange start="1" end="%d"/></finiteintrangeconstant>`, value, colours)
}

// variables declares so many of a class.
func (w *terms) variables(n int, class string) {
	for i := range n {
		fmt.Fprintf(&w.declared, `<variabledecl id="x%d" name="x%d"><usersort declaration="%s"/></variabledecl>`, i, i, class)
	}
}

func variable(i int) string {
	return fmt.Sprintf(`<subterm><variable refvariable="x%d"/></subterm>`, i)
}

// coloured adds a place of a sort, with a term for its marking unless that is empty.
func (w *terms) coloured(id, sort, marking string) {
	w.places = append(w.places, id)
	fmt.Fprintf(w, `<place id="%s"><type><structure><usersort declaration="%s"/></structure></type>`, id, sort)
	if marking != "" {
		w.WriteString("<hlinitialMarking><structure>" + marking + "</structure></hlinitialMarking>")
	}
	w.WriteString("</place>\n")
}

// give adds an arc with a term.
func (w *terms) give(source, target, term string) {
	w.arcs++
	fmt.Fprintf(w, "<arc id=\"a%d\" source=\"%s\" target=\"%s\"><hlinscription><structure>%s</structure></hlinscription></arc>\n", w.arcs, source, target, term)
}

// joined returns an operator over n operands.
func joined(operator string, n int, operand func(i int) string) string {
	var b strings.Builder
	b.WriteString("<" + operator + ">")
	for i := range n {
		b.WriteString("<subterm>" + operand(i) + "</subterm>")
	}
	b.WriteString("</" + operator + ">")
	return b.String()
}

func (w *terms) sums(s Source, colours, parts int) {
	w.class("c", colours)
	w.class("u", 1)
	w.declared.WriteString(`<namedsort id="d" name="d"><productsort>` + strings.Repeat(`<usersort declaration="c"/>`, 2) +
		strings.Repeat(`<usersort declaration="u"/>`, parts) + `</productsort></namedsort>`)
	sum := joined("add", colours, func(i int) string { return colour(i+1, colours) })
	tuple := joined("tuple", parts+2, func(i int) string {
		if i < 2 {
			return sum
		}
		return colour(1, 1)
	})
	w.coloured("p", "d", tuple)
	w.coloured("q", "d", "")
	w.transition("t")
	if s.Chance(0.5) {
		w.give("p", "t", tuple)
	}
	w.give("t", "q", Pick(s, tuple, `<all><usersort declaration="d"/></all>`))
}

func (w *terms) guards(s Source, variables int) {
	w.class("c", 100)
	w.variables(variables, "c")
	w.coloured("p", "c", "")
	relation := Pick(s, "lessthan", "inequality", "equality", "greaterthanorequal")
	and := func(further int) string {
		return joined("and", variables, func(i int) string {
			return "<" + relation + ">" + variable(i) + variable((i+further)%variables) + "</" + relation + ">"
		})
	}
	guard := and(1)
	if s.Chance(0.6) {
		guard = joined("or", 2, func(i int) string { return and(i + 1) })
	}
	w.transitions = append(w.transitions, "t")
	fmt.Fprintf(w, "<transition id=\"t\"><condition><structure>%s</structure></condition></transition>\n", guard)
	w.give("t", "p", `<variable refvariable="x0"/>`)
}

func (w *terms) partitions(n, colours int) {
	w.class("c", colours)
	for i := range n {
		fmt.Fprintf(&w.declared, `<partition id="q%d" name="q%d"><usersort declaration="c"/><partitionelement id="e%d" name="e%d"/></partition>`, i, i, i, i)
	}
	w.coloured("p", "c", "")
	w.transition("t")
}

func (w *terms) parts(colours, times int) {
	w.class("c", colours)
	w.declared.WriteString(`<partition id="q" name="q"><usersort declaration="c"/><partitionelement id="e" name="e">`)
	for i := range colours {
		w.declared.WriteString(colour(i+1, colours))
	}
	w.declared.WriteString(`</partitionelement></partition>`)
	w.coloured("p", "c", joined("add", times, func(int) string { return `<useroperator declaration="e"/>` }))
	w.transition("t")
}

func (w *terms) overClass(places, colours int) {
	w.class("c", colours)
	w.variables(1, "c")
	w.transition("t")
	for i := range places {
		w.coloured(fmt.Sprint("p", i), "c", "")
	}
	w.give("p0", "t", `<variable refvariable="x0"/>`)
}

func (w *terms) around(places int) {
	w.class("c", 2)
	w.transition("t")
	w.many("p", "0", places)
	for i := range places {
		w.arc("t", fmt.Sprint("p", i), "1")
	}
}

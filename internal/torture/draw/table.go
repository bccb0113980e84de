package draw

import (
	"fmt"
	"strings"

	"pnmc/internal/torture/twin"
)

// Table is a model in LTSmin's ETF.
type Table struct {
	Kind string
	Text []byte
	// Net has variables for places; its twin has a place for each value.
	Net *Net
}

// TableKinds returns the names of the kinds of tables.
func TableKinds() []string {
	return []string{"table-small", "table-extreme", "table-sorts", "table-damaged", "table-long"}
}

// NewTable draws a table of this kind.
func NewTable(s Source, kind string) *Table {
	t := &Table{Kind: kind}
	switch kind {
	case "table-small":
		t.small(s)
	case "table-extreme":
		t.extreme(s)
	case "table-sorts":
		t.sorts(s)
	case "table-long":
		t.long(s)
	case "table-damaged":
		t.small(s)
		t.Text, t.Net.Twin = Damage(s, t.Text), nil
	default:
		panic("no kind of tables: " + kind)
	}
	return t
}

// small draws a table of values up to 3, and a net with a place for each value. One place of each
// variable is marked.
//
// For example, a variable v0 with values up to 2 that begins with 1 has the places v0=0, v0=1 and
// v0=2, of which the second is marked. The name v0 stands for v0=1 once and for v0=2 twice, so
// that the sum of their tokens is the value. A row 1/2 is a transition that moves the token.
func (t *Table) small(s Source) {
	variables, most := s.Between(1, 5), s.Between(1, 3)
	var b strings.Builder
	b.WriteString("begin state\n")
	t.Net = &Net{}
	n := twin.NewNet()
	initial := make([]string, variables)
	for v := range variables {
		name := fmt.Sprintf("v%d", v)
		fmt.Fprintf(&b, "%s:value ", name)
		t.Net.Places = append(t.Net.Places, name)
		start := s.IntN(most + 1)
		initial[v] = fmt.Sprint(start)
		for k := range most + 1 {
			tokens := int64(0)
			if k == start {
				tokens = 1
			}
			place := n.AddPlace(fmt.Sprintf("v%d=%d", v, k), tokens)
			for range k { // what the variable's name stands for adds up to its value
				n.Places[name] = append(n.Places[name], place)
			}
		}
	}
	fmt.Fprintf(&b, "\nend state\nbegin edge\naction:action\nend edge\nbegin init\n%s\nend init\n", strings.Join(initial, " "))
	for range s.Between(1, 6) {
		b.WriteString("begin trans\n")
		rows := map[string]bool{}
		touched := make([]bool, variables)
		for v := range touched {
			touched[v] = s.Chance(0.5)
		}
		for range s.Between(1, 3) {
			var row []string
			var inputs, outputs []twin.Arc
			for v := range variables {
				if !touched[v] {
					row = append(row, "*")
					continue
				}
				from, to := s.IntN(most+1), s.IntN(most+1)
				row = append(row, fmt.Sprintf("%d/%d", from, to))
				inputs = append(inputs, twin.Arc{Place: v*(most+1) + from, Weight: 1})
				outputs = append(outputs, twin.Arc{Place: v*(most+1) + to, Weight: 1})
			}
			if text := strings.Join(row, " "); !rows[text] {
				rows[text] = true
				// Each row has a label of its own, so that a run tells which one it took.
				fmt.Fprintf(&b, " %s %d\n", text, len(n.TransitionNames))
				n.AddTransition(fmt.Sprintf("r%d", len(n.TransitionNames)), inputs, outputs)
			}
		}
		b.WriteString("end trans\n")
	}
	b.WriteString("begin sort value\nend sort\nbegin sort action\n")
	for _, name := range n.TransitionNames {
		fmt.Fprintf(&b, "%q\n", name)
	}
	t.Net.Twin, t.Text = n, []byte(b.String()+"end sort\n")
}

// extreme has many variables, values or rows, or none.
func (t *Table) extreme(s Source) {
	variables := Pick(s, 0, 1, s.Magnitude(1, 3000))
	rows := Pick(s, 0, 1, s.Magnitude(1, 300000)/max(1, variables))
	number := func() string {
		if s.Chance(0.1) {
			return Extreme(s)
		}
		return fmt.Sprint(s.IntN(1000))
	}
	var b strings.Builder
	t.Net = &Net{}
	b.WriteString("begin state\n")
	for v := range variables {
		name := fmt.Sprintf("v%d", v)
		fmt.Fprintf(&b, "%s:value ", name)
		t.Net.Places = append(t.Net.Places, name)
	}
	b.WriteString("\nend state\nbegin edge\naction:action\nend edge\nbegin init\n")
	for range variables {
		b.WriteString(number() + " ")
	}
	b.WriteString("\nend init\nbegin trans\n")
	for range rows {
		for range variables {
			b.WriteString(Pick(s, "* ", "* ", "* ", number()+"/"+number()+" "))
		}
		b.WriteString("0\n")
	}
	b.WriteString("end trans\nbegin sort value\nend sort\nbegin sort action\nend sort\n")
	t.Net.Places = t.Net.Places[:min(len(t.Net.Places), 50)]
	t.Text = []byte(b.String())
}

// sorts has thousands of sorts, before or behind the rows: names of values that no variable has. A small
// table means with them what it means without. Others have thousands of rows, whose variable or label
// is of a sort that is not there, or of the last one.
func (t *Table) sorts(s Source) {
	n := s.Magnitude(10, 30_000)
	var sorts strings.Builder
	for i := range n {
		fmt.Fprintf(&sorts, "begin sort s%d\n%send sort\n", i, Pick(s, "", "", "\"x\"\n"))
	}
	if s.Chance(0.5) {
		t.small(s)
		t.Text = []byte(string(t.Text) + sorts.String())
		return
	}
	last := fmt.Sprintf("s%d", n-1)
	rows := s.Magnitude(10, 60_000)
	var b strings.Builder
	fmt.Fprintf(&b, "begin state\nv0:%s\nend state\nbegin edge\nl:%s\nend edge\nbegin init\n0\nend init\n", Pick(s, "int", last), Pick(s, "nowhere", last))
	before := s.Chance(0.5)
	if before {
		b.WriteString(sorts.String())
	}
	b.WriteString("begin trans\n")
	for i := range rows {
		fmt.Fprintf(&b, "%d/%d %d\n", i, i+1, Pick(s, i, 0))
	}
	b.WriteString("end trans\n")
	if !before {
		b.WriteString(sorts.String())
	}
	t.Net = &Net{Places: []string{"v0"}}
	t.Text = []byte(b.String())
}

package draw

import (
	"fmt"
	"slices"
	"strings"

	"pnmc/internal/torture/twin"
)

// longNames draws a net of up to thousands of places with names of up to 200 letters, which are all much
// alike. Some of the names that questions are asked about are not among them, as one letter is wrong:
// who looks for the names that were meant compares all of them. The twin does not have such a net.
func longNames(s Source) *Net {
	w := newPNML("ptnet")
	length := s.Magnitude(12, 200)
	n := s.Magnitude(10, 1_000_000/length)
	for i := range n {
		w.place(fmt.Sprintf("%s%d", alike(s, length), i), Pick(s, "0", "0", "1"))
		if id := fmt.Sprint("t", i); i > 0 && i%100 == 0 {
			w.transition(id)
			w.arc(w.places[i-1], id, "1")
			w.arc(id, w.places[i], "1")
		}
	}
	net := w.net("")
	net.Places = slices.Clone(net.Places[:min(len(net.Places), 8)])
	if s.Chance(0.7) {
		net.Twin = nil
		for i, name := range net.Places {
			if s.Chance(0.7) {
				net.Places[i] = name[:length/2] + Pick(s, "a", "b", "c") + name[length/2+1:]
			}
		}
	}
	return net
}

// alike returns a name of two letters, so long.
func alike(s Source, length int) string {
	name := make([]byte, length)
	for i := range name {
		name[i] = 'a' + byte(s.IntN(2))
	}
	return string(name)
}

// oneName draws a net in which one place has a name of up to three megabytes, which up to hundreds of arcs
// tell again.
func oneName(s Source) *Net {
	length := s.Magnitude(1000, 3<<20)
	id := strings.Repeat("p", length)
	w := newPNML("ptnet")
	w.place(id, "1")
	w.place("q", "0")
	for i := range s.Magnitude(1, min(600, 32<<20/length)) {
		t := fmt.Sprint("t", i)
		w.transition(t)
		w.arc(id, t, "1")
		w.arc(t, Pick(s, "q", id), "1")
	}
	n := w.net("")
	n.Places, n.Twin = []string{"q"}, nil
	return n
}

// steps has operators that say how many steps they go on, within one another: the number of a few digits
// stands for as many operators. Small ones are for the twin, which gets them written out.
func (p *Properties) steps(s Source, examination string, net *Net) {
	if !strings.HasPrefix(examination, "LTL") && !strings.HasPrefix(examination, "CTL") {
		p.lists(s, examination, net)
		return
	}
	around := func(f *twin.Formula) *twin.Formula { return f }
	open, shut := "", ""
	if strings.HasPrefix(examination, "CTL") {
		op := Pick(s, twin.AllPaths, twin.SomePath)
		around = func(f *twin.Formula) *twin.Formula { return twin.Unary(op, f) }
		name := map[twin.Op]string{twin.AllPaths: "all-paths", twin.SomePath: "exists-path"}[op]
		open, shut = "<"+name+">", "</"+name+">"
	}
	p.Asked = map[string]Question{}
	var b strings.Builder
	b.WriteString(propertiesHead)
	for i := range s.Between(1, 3) {
		atom := Atoms(s, net, 1)[0]
		id := fmt.Sprintf("net-%s-%02d", examination, i)
		depth, most, known := s.Magnitude(1, 900), s.Magnitude(1, 1000), s.Chance(0.6)
		if known {
			depth, most = s.Between(1, 2), 2
		}
		f := twin.Proposition(atom)
		numbers := make([]int, depth)
		for k := range numbers {
			numbers[k] = s.Between(1, most)
			for range numbers[k] {
				if !known {
					break
				}
				f = around(twin.Unary(twin.Next, f))
			}
		}
		// One more operator makes the formula one of its own logic.
		f = around(twin.Unary(twin.Finally, f))
		p.Asked[id] = Question{}
		if known {
			p.Asked[id] = Question{Formula: f}
			if open == "" {
				p.Asked[id] = Question{Formula: twin.Unary(twin.AllPaths, f)}
			}
		}
		property(&b, id, func() {
			if open == "" {
				b.WriteString("<all-paths>")
				defer b.WriteString("</all-paths>")
			}
			b.WriteString(open + "<finally>")
			for _, k := range slices.Backward(numbers) {
				fmt.Fprintf(&b, "%s<next><steps>%d</steps>", open, k)
			}
			twin.Proposition(atom).XML(&b)
			b.WriteString(strings.Repeat("</next>"+shut, depth) + "</finally>" + shut)
		})
	}
	b.WriteString("</property-set>\n")
	p.Text = []byte(b.String())
}

// lists has a few properties with one atom that names transitions or places up to ten thousand times.
func (p *Properties) lists(s Source, examination string, net *Net) {
	if examination == "UpperBounds" || len(net.Places) == 0 {
		p.small(s, examination, net)
		return
	}
	p.Asked = nil
	var b strings.Builder
	b.WriteString(propertiesHead)
	property(&b, "net-lists-00", func() {
		a := &twin.Atom{LessBy: 1}
		for range s.Magnitude(10, 10_000) {
			a.More = append(a.More, Pick(s, net.Places...))
		}
		if len(net.Transitions) > 0 && s.Chance(0.6) {
			a.Fireable = make([]string, len(a.More))
			for i := range a.Fireable {
				a.Fireable[i] = Pick(s, net.Transitions...)
			}
		}
		path := twin.Unary(Pick(s, twin.Finally, twin.Globally), twin.Proposition(a))
		op := twin.AllPaths
		if path.Op == twin.Finally && !strings.HasPrefix(examination, "LTL") {
			op = twin.SomePath
		}
		twin.Unary(op, path).XML(&b)
	})
	b.WriteString("</property-set>\n")
	p.Text = []byte(b.String())
}

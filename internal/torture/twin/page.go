package twin

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"slices"
)

// Page is what a page shows: a net, and answers with their runs.
type Page struct {
	Net     *PageNet
	Answers []*PageAnswer
}

// PageNet is the net of a page, as its data have it. Slices of bytes are sequences of unsigned
// variable-length integers, in base64.
type PageNet struct {
	Places, Transitions                   []string
	Arcs, Initial                         []byte
	CellPlaces, ModeTransitions, ModeArcs []byte
	Bindings, Colours                     []string
	Partial                               bool
	coloured                              bool     // it has cells and modes
	numbers                               []uint64 // of Initial
	modes                                 []uint64 // their transitions, if the net has colours
}

// PageAnswer is an answer on a page.
type PageAnswer struct {
	Name, Kind, Verdict, Value string
	Atoms                      []string
	Formula                    []json.RawMessage
	Runs                       []*PageRun
}

// PageRun is a run on a page.
type PageRun struct {
	From, At, Positions, Loop, Cycle int
	Steps                            []byte
	Times                            [][2]int64
	Atoms, Values                    [][]byte
	numbers                          []uint64 // of Steps
}

var (
	dataBegin = []byte("\n<script type=\"application/json\" class=\"")
	dataEnd   = []byte("</script>\n")
)

// ReadPage reads the data of a page, one net and any number of answers, and checks that they are
// complete: each number that stands for something has it, each arc its place, and each run as
// many truth values as positions. A page of a report has no data: the net is nil then.
func ReadPage(text []byte) (*Page, error) {
	p := &Page{}
	for {
		_, after, found := bytes.Cut(text, dataBegin)
		if !found {
			return p, nil
		}
		class, after, found := bytes.Cut(after, []byte("\">"))
		data, rest, closed := bytes.Cut(after, dataEnd)
		if !found || !closed {
			return nil, fmt.Errorf("data without their end")
		}
		text = append([]byte("\n"), rest...)
		var err error
		switch string(class) {
		case "net":
			if p.Net != nil {
				return nil, fmt.Errorf("two nets")
			}
			p.Net = &PageNet{coloured: bytes.Contains(data, []byte(`,"cellPlaces":`))}
			if err = json.Unmarshal(data, p.Net); err == nil {
				err = p.Net.check()
			}
		case "answer":
			a := &PageAnswer{}
			p.Answers = append(p.Answers, a)
			if err = json.Unmarshal(data, a); err == nil && p.Net == nil {
				err = fmt.Errorf("an answer before the net")
			}
			if err == nil {
				err = a.check(p.Net)
			}
		default:
			err = fmt.Errorf("data of the class %q", class)
		}
		if err != nil {
			return nil, fmt.Errorf("the data of %s: %w", class, err)
		}
	}
}

// unpack returns the numbers in bytes, which must end with the last of them.
func unpack(packed []byte) (list []uint64, err error) {
	for len(packed) > 0 {
		x, n := binary.Uvarint(packed)
		if n <= 0 {
			return nil, fmt.Errorf("a number is cut")
		}
		list, packed = append(list, x), packed[n:]
	}
	return list, nil
}

// below reports whether all numbers are below a limit.
func below(list []uint64, limit int) bool {
	return !slices.ContainsFunc(list, func(x uint64) bool { return x >= uint64(limit) })
}

// check checks that the arcs and the marking are complete.
func (n *PageNet) check() (err error) {
	if n.numbers, err = unpack(n.Initial); err != nil {
		return err
	}
	if err := arcsComplete(n.Arcs, len(n.Transitions), len(n.Places)); err != nil {
		return err
	}
	if !n.coloured {
		if len(n.numbers) != len(n.Places) && !n.Partial {
			return fmt.Errorf("%d places have tokens, of %d", len(n.numbers), len(n.Places))
		}
		return nil
	}
	cells, err := unpack(n.CellPlaces)
	if err != nil {
		return err
	}
	if n.modes, err = unpack(n.ModeTransitions); err != nil {
		return err
	}
	if len(cells) != len(n.numbers) || len(n.Colours) != len(cells) || len(n.Bindings) != len(n.modes) ||
		!below(cells, len(n.Places)+1) || !below(n.modes, len(n.Transitions)) {
		return fmt.Errorf("%d cells, %d of them with tokens, %d with colours; %d modes, %d of them with bindings",
			len(cells), len(n.numbers), len(n.Colours), len(n.modes), len(n.Bindings))
	}
	return arcsComplete(n.ModeArcs, len(n.modes), len(cells))
}

// arcsComplete checks that there are input and output arcs for each transition, and no more.
func arcsComplete(packed []byte, transitions, places int) error {
	list, err := unpack(packed)
	if err != nil {
		return err
	}
	at := 0
	for t := range 2 * transitions {
		if at == len(list) || list[at] > uint64(len(list)-at-1)/2 {
			return fmt.Errorf("arcs of transition %d are missing", t/2)
		}
		for range list[at] {
			if at += 2; list[at-1] >= uint64(places) {
				return fmt.Errorf("an arc of transition %d at place %d of %d", t/2, list[at-1], places)
			}
		}
		at++
	}
	if at != len(list) {
		return fmt.Errorf("%d numbers of arcs of no transition", len(list)-at)
	}
	return nil
}

// check checks that the answer is complete.
func (a *PageAnswer) check(n *PageNet) error {
	if a.Name == "" && a.Kind == "" || !slices.Contains([]string{"holds", "violated", "unknown", "value"}, a.Verdict) {
		return fmt.Errorf("the answer %q of the kind %q is %q", a.Name, a.Kind, a.Verdict)
	}
	modes := len(n.Transitions)
	if n.coloured {
		modes = len(n.modes)
	}
	for i, r := range a.Runs {
		var err error
		if r.numbers, err = unpack(r.Steps); err != nil {
			return err
		}
		if !below(r.numbers, modes+1) && !n.Partial {
			return fmt.Errorf("run %d has a step of no transition", i+1)
		}
		if r.Cycle < 0 || r.Cycle > len(r.numbers) || r.From >= i || r.Loop >= r.Positions {
			return fmt.Errorf("run %d: a cycle of %d of %d steps, from run %d, back to position %d of %d", i+1, r.Cycle, len(r.numbers), r.From+1, r.Loop, r.Positions)
		}
		if expected := len(r.numbers) + 1; r.Positions != expected && !(r.Loop >= 0 && r.Positions == expected-1) {
			return fmt.Errorf("run %d: %d positions of %d steps", i+1, r.Positions, len(r.numbers))
		}
		for _, track := range slices.Concat(r.Atoms, r.Values) {
			list, err := unpack(track)
			if err != nil {
				return err
			}
			known := uint64(0)
			for _, x := range list {
				known += x / 4
			}
			if known != uint64(r.Positions) {
				return fmt.Errorf("run %d: truth values at %d of %d positions", i+1, known, r.Positions)
			}
		}
		if len(r.Atoms) != 0 && len(r.Atoms) != len(a.Atoms) || len(r.Values) != 0 && len(r.Values) != len(a.Formula) {
			return fmt.Errorf("run %d: truth of %d of %d atoms, and of %d of %d formulas", i+1, len(r.Atoms), len(a.Atoms), len(r.Values), len(a.Formula))
		}
	}
	return nil
}

// Trace returns the runs of an answer, or nil if it has none.
func (p *Page) Trace(a *PageAnswer) *Trace {
	if len(a.Runs) == 0 {
		return nil
	}
	t := &Trace{Name: a.Name}
	for _, r := range a.Runs {
		steps := make([]Step, len(r.numbers))
		for i, x := range r.numbers {
			steps[i] = p.Net.step(x)
		}
		for _, times := range r.Times {
			if i := times[0]; i >= 0 && i < int64(len(steps)) {
				steps[i].Times = int(times[1])
			}
		}
		b := Branch{Prefix: steps[:len(steps)-r.Cycle], Cycle: steps[len(steps)-r.Cycle:]}
		if r.From >= 0 {
			b.From, b.At = &r.From, &r.At
		}
		t.Branches = append(t.Branches, b)
	}
	if len(a.Runs) == 1 {
		t.Prefix, t.Cycle, t.Branches = t.Branches[0].Prefix, t.Branches[0].Cycle, nil
	}
	return t
}

// step returns the step that a number of a run stands for.
func (n *PageNet) step(x uint64) Step {
	switch {
	case x == 0:
		return Step{Deadlock: true}
	case !n.coloured:
		return Step{Transition: n.Transitions[x-1]}
	}
	s := Step{Transition: n.Transitions[n.modes[x-1]]}
	if binding := n.Bindings[x-1]; binding != "" {
		s.Name = s.Transition + "[" + binding + "]"
	}
	return s
}

// Same returns in what the net of a page differs from the net: in its names or its tokens. Nothing
// is returned where one of them has colours, or the page shows a part.
func (n *PageNet) Same(net *Net) error {
	if n.Partial || n.coloured {
		return nil
	}
	if !slices.Equal(slices.Sorted(slices.Values(n.Transitions)), slices.Sorted(slices.Values(net.TransitionNames))) {
		return fmt.Errorf("the page has %d transitions, and the net %d, or others", len(n.Transitions), len(net.TransitionNames))
	}
	for i, name := range n.Places {
		at := net.Places[name]
		if len(at) != 1 {
			return nil // unfolded
		}
		if uint64(net.Initial[at[0]]) != n.numbers[i] {
			return fmt.Errorf("the page has %d tokens in place %s, and the net %d", n.numbers[i], name, net.Initial[at[0]])
		}
	}
	return nil
}

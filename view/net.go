package view

import (
	"encoding/binary"
	"fmt"
	"strings"

	"pnmc/petri"
	"pnmc/petri/symmetric"
)

// Net is the net that a page draws, and that its runs fire.
type Net struct {
	// Title is what the page calls the net.
	Title string
	// Net is the net that runs fire.
	Net *petri.Net
	// Unfolding, unless nil, says for which coloured net Net stands. The page draws the
	// coloured one.
	Unfolding *symmetric.Unfolding
	// Partial reports whether Net lacks bindings of the coloured net. If so, nothing is
	// known of what else is enabled.
	Partial bool
	// Drawing has the positions that the document gives, or is nil.
	Drawing *petri.Drawing
	// ByHand reports whether the page begins with the net in its initial marking, not
	// with a run.
	ByHand bool
	// Semiflows are place invariants of Net that the page shows; there may be none.
	Semiflows []petri.Semiflow
}

// netBlock is the part of a page's data that all its answers share. Slices of bytes are
// sequences of unsigned variable-length integers.
type netBlock struct {
	Title           string         `json:"title"`
	Places          []string       `json:"places"`
	PlaceNames      map[int]string `json:"placeNames,omitempty"`
	Transitions     []string       `json:"transitions"`
	TransitionNames map[int]string `json:"transitionNames,omitempty"`
	// Arcs has, for each transition that is drawn, the number of its input arcs, a place and
	// a weight for each, and the same of its output arcs.
	Arcs []byte `json:"arcs"`
	// Inscriptions of a coloured net are those of the arcs, in the order of Arcs.
	Inscriptions []string `json:"inscriptions,omitempty"`
	// Guards are those of coloured transitions that have one.
	Guards map[int]string `json:"guards,omitempty"`
	// Ceilings are, for each mode that has some, cells and weights, a number in text: fewer tokens
	// are needed there. Inhibitors are, likewise, those of transitions and places that are drawn.
	Ceilings   map[int][][2]string `json:"ceilings,omitempty"`
	Inhibitors map[int][][2]string `json:"inhibitors,omitempty"`
	// Resets are, for each transition that has some, the places that it empties.
	Resets  map[int][]petri.Place `json:"resets,omitempty"`
	Initial []byte                `json:"initial"` // of each cell
	// Big reports whether numbers may exceed 2^53; the page then computes with big
	// integers.
	Big     bool `json:"big,omitempty"`
	Partial bool `json:"partial,omitempty"`
	ByHand  bool `json:"byHand,omitempty"`
	*cellBlock
	Positions []*petri.Point    `json:"positions,omitempty"` // of places, then of transitions
	Bends     map[string][]bend `json:"bends,omitempty"`     // "p12>t3" by numbers
	Units     []unitBlock       `json:"units,omitempty"`
	Semiflows []semiflowBlock   `json:"semiflows,omitempty"`
}

type bend = petri.Point

// cellBlock says how the net that fires lies in the coloured one: a cell is a colour of a
// place, a mode is a binding of a transition. Without it each place is its own cell, and
// each transition its own mode.
//
// For example, the place p has three colours, and a transition t moves a token of any colour from
// p to q. The net that fires has the cells p[1] to p[3] and q[1] to q[3], and the modes t[x=1] to
// t[x=3]. The page draws p, q and t. CellPlaces are then 0 0 0 1 1 1, and ModeTransitions 0 0 0.
// A run names modes. The page adds up the cells of a place for the number beside it, and lists
// colours when somebody asks for them.
type cellBlock struct {
	CellPlaces      []byte   `json:"cellPlaces"`
	Colours         []string `json:"colours"`
	ModeTransitions []byte   `json:"modeTransitions"`
	Bindings        []string `json:"bindings"`
	ModeArcs        []byte   `json:"modeArcs"`
}

// unitBlock is a unit with the places that are in it itself, and its parts by their numbers.
type unitBlock struct {
	ID     string        `json:"id"`
	Places []petri.Place `json:"places"`
	Parts  []int         `json:"parts,omitempty"`
}

// semiflowBlock is a sum of weighted tokens that never changes, and its value.
type semiflowBlock struct {
	Terms [][2]int64 `json:"terms"` // place, coefficient
	Value string     `json:"value"`
}

// largestExact is the largest number that a page computes with as a number of JavaScript.
const largestExact = 1<<53 - 1

// block returns the net as the page gets it. Its texts and numbers are charged as writer.json does. An
// error is the reason to stop.
func (n *Net) block(w *writer) (*netBlock, error) {
	b := &netBlock{Title: n.Title, Partial: n.Partial, ByHand: n.ByHand}
	w.json(n.Title)
	if n.Unfolding == nil {
		b.drawPlain(w, n.Net)
	} else {
		b.drawColoured(w, n.Unfolding)
	}
	if w.End != nil {
		return nil, w.End
	}
	for p := range petri.Place(n.Net.Places()) {
		tokens := n.Net.InitialTokens(p)
		b.Big = b.Big || tokens > largestExact
		b.Initial = binary.AppendUvarint(b.Initial, uint64(tokens))
	}
	for t := range petri.Transition(n.Net.Transitions()) {
		for _, arcs := range [][]petri.Arc{n.Net.Pre(t), n.Net.Post(t)} {
			for _, a := range arcs {
				b.Big = b.Big || a.Weight > largestExact
			}
		}
	}
	b.place(w, n.Drawing)
	if n.Unfolding == nil {
		b.structure(w, n)
	}
	return b, w.End
}

// drawPlain draws the net that fires.
func (b *netBlock) drawPlain(w *writer, net *petri.Net) {
	b.Places, b.Transitions = make([]string, net.Places()), make([]string, net.Transitions())
	b.PlaceNames, b.TransitionNames = map[int]string{}, map[int]string{}
	for p := range b.Places {
		b.Places[p] = label(w, net.PlaceLabel(petri.Place(p)), b.PlaceNames, p)
	}
	for t := range b.Transitions {
		b.Transitions[t] = label(w, net.TransitionLabel(petri.Transition(t)), b.TransitionNames, t)
	}
	b.Arcs = arcsOf(w, net)
	if net.Plain() {
		return
	}
	b.Ceilings, b.Inhibitors, b.Resets = map[int][][2]string{}, map[int][][2]string{}, map[int][]petri.Place{}
	for t := range b.Transitions {
		if resets := net.Resets(petri.Transition(t)); len(resets) > 0 {
			b.Resets[t] = resets
		}
		b.Ceilings[t], b.Inhibitors[t] = limits(w, net.Ceilings(petri.Transition(t))), limits(w, net.Inhibitors(petri.Transition(t)))
	}
}

// limits returns arcs as Ceilings has them.
func limits(w *writer, arcs []petri.Arc) (list [][2]string) {
	w.bytes(len(arcs) * limitBytes)
	for _, a := range arcs {
		list = append(list, [2]string{fmt.Sprint(a.Place), fmt.Sprint(a.Weight)})
	}
	return list
}

// limitBytes is about what an arc of limits takes.
const limitBytes = 64

// label returns the identifier; a name that is another is noted.
func label(w *writer, l petri.Label, names map[int]string, i int) string {
	w.json(l.ID)
	if l.Name != "" && l.Name != l.ID {
		names[i] = l.Name
		w.json(l.Name)
	}
	return l.ID
}

// arcsOf returns the arcs of all transitions, as netBlock has them.
func arcsOf(w *writer, net *petri.Net) []byte {
	var list []byte
	for t := range petri.Transition(net.Transitions()) {
		if !w.bytes(2 + arcBytes*(len(net.Pre(t))+len(net.Post(t)))) {
			break
		}
		for _, arcs := range [][]petri.Arc{net.Pre(t), net.Post(t)} {
			list = binary.AppendUvarint(list, uint64(len(arcs)))
			for _, a := range arcs {
				list = binary.AppendUvarint(list, uint64(a.Place))
				list = binary.AppendUvarint(list, uint64(a.Weight))
			}
		}
	}
	return list
}

// arcBytes is about what an arc takes in a page.
const arcBytes = 8

// drawColoured draws the coloured net, and reports what its cells and modes are.
func (b *netBlock) drawColoured(w *writer, u *symmetric.Unfolding) {
	net := u.Coloured
	b.PlaceNames, b.TransitionNames, b.Guards = map[int]string{}, map[int]string{}, map[int]string{}
	cells := &cellBlock{
		Colours: make([]string, u.Net.Places()), Bindings: make([]string, u.Net.Transitions()), ModeArcs: arcsOf(w, u.Net),
	}
	placeOf, transitionOf := make([]uint64, u.Net.Places()), make([]uint64, u.Net.Transitions())
	for i := range net.Places {
		p := &net.Places[i]
		b.Places = append(b.Places, label(w, petri.Label{ID: p.ID, Name: p.Name}, b.PlaceNames, i))
		for _, cell := range u.Places[i] {
			placeOf[cell] = uint64(i)
			cells.Colours[cell] = colourIn(u.Net.PlaceLabel(cell), p.ID, p.Name)
			w.json(cells.Colours[cell])
		}
	}
	for _, s := range u.Sums { // cells of no place
		placeOf[s] = uint64(len(net.Places))
	}
	if !u.Net.Plain() {
		b.Ceilings, b.Inhibitors = map[int][][2]string{}, map[int][][2]string{}
	}
	for i := range net.Transitions {
		t := &net.Transitions[i]
		b.Transitions = append(b.Transitions, label(w, petri.Label{ID: t.ID, Name: t.Name}, b.TransitionNames, i))
		for _, mode := range u.Transitions[i] {
			transitionOf[mode] = uint64(i)
			if ceilings := u.Net.Ceilings(mode); len(ceilings) > 0 {
				b.Ceilings[int(mode)] = limits(w, ceilings)
			}
			cells.Bindings[mode] = colourIn(u.Net.TransitionLabel(mode), t.ID, t.Name)
			w.json(cells.Bindings[mode])
		}
		if t.Guard != nil {
			b.Guards[i] = w.guard(t.Guard, t)
			w.json(b.Guards[i])
		}
		for _, a := range t.Inhibitors {
			b.Inhibitors[i] = append(b.Inhibitors[i], [2]string{fmt.Sprint(a.Place), fmt.Sprint(a.Weight)})
		}
		for _, arcs := range [][]symmetric.Arc{t.Pre, t.Post} {
			b.Arcs = binary.AppendUvarint(b.Arcs, uint64(len(arcs)))
			for _, a := range arcs {
				b.Arcs = binary.AppendUvarint(b.Arcs, uint64(a.Place))
				b.Arcs = binary.AppendUvarint(b.Arcs, 1)
				text := w.expression(a.Expression, t, net.Places[a.Place].Domain)
				if !w.json(text) {
					return
				}
				b.Inscriptions = append(b.Inscriptions, text)
			}
		}
	}
	for _, p := range placeOf {
		cells.CellPlaces = binary.AppendUvarint(cells.CellPlaces, p)
	}
	for _, t := range transitionOf {
		cells.ModeTransitions = binary.AppendUvarint(cells.ModeTransitions, t)
	}
	b.cellBlock = cells
}

// colourIn returns the colour in the name of an unfolded node, which is that of the coloured
// node with the colour in brackets behind it.
func colourIn(l petri.Label, id, name string) string {
	if name == "" {
		name = id
	}
	rest, found := strings.CutPrefix(l.Name, name+"[")
	if !found {
		return ""
	}
	return strings.TrimSuffix(rest, "]")
}

// place gives nodes the positions of the document.
func (b *netBlock) place(w *writer, d *petri.Drawing) {
	if d == nil || len(d.Nodes) == 0 || !w.bytes((len(d.Nodes)+2*len(d.Bends))*pointBytes) {
		return
	}
	numbers := make(map[string]string, len(b.Places)+len(b.Transitions))
	add := func(prefix string, ids []string) {
		for i, id := range ids {
			numbers[id] = fmt.Sprint(prefix, i)
			if at, known := d.Nodes[id]; known {
				b.Positions = append(b.Positions, &at)
			} else {
				b.Positions = append(b.Positions, nil)
			}
		}
	}
	add("p", b.Places)
	add("t", b.Transitions)
	for arc, points := range d.Bends {
		from, to := numbers[arc[0]], numbers[arc[1]]
		if from == "" || to == "" {
			continue
		}
		if b.Bends == nil {
			b.Bends = map[string][]bend{}
		}
		b.Bends[from+">"+to] = points
		w.bytes(len(points) * pointBytes)
	}
}

// pointBytes is about what a position takes.
const pointBytes = 64

// structure returns the units and the invariants.
func (b *netBlock) structure(w *writer, n *Net) {
	if units := n.Net.NUPN(); units != nil {
		for _, u := range units.Units {
			w.json(u.ID)
			w.bytes(arcBytes * (len(u.Places) + len(u.Subunits)))
			b.Units = append(b.Units, unitBlock{u.ID, u.Places, u.Subunits})
		}
	}
	for _, f := range n.Semiflows {
		flow := semiflowBlock{Value: fmt.Sprint(f.Value)}
		for _, term := range f.Terms {
			w.bytes(2 * arcBytes)
			flow.Terms = append(flow.Terms, [2]int64{int64(term.Place), term.Weight})
		}
		b.Semiflows = append(b.Semiflows, flow)
	}
}

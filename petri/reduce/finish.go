package reduce

import (
	"context"
	"strconv"
	"strings"

	"pnmc/petri"
)

// finish makes the reduced net. It is linear in the net, and looks at no limit: it takes
// some tens of milliseconds for a million arcs.
func (d *draft) finish(applied []int) (*Reduction, error) {
	return d.finishUnless(applied, func(int) bool { return false })
}

// finishUnless finishes as finish does, unless over reports that its context has ended. over is
// told how much work was done.
func (d *draft) finishUnless(applied []int, over func(work int) bool) (*Reduction, error) {
	b := &petri.Builder{ID: d.net.ID, Name: d.net.Name}
	r := &Reduction{PlaceOf: make([]int32, d.net.Places()), Applied: applied, prefix: d.prefix}
	for p := range petri.Place(d.net.Places()) {
		r.PlaceOf[p] = -1
		if d.placeGone[p] {
			continue
		}
		if over(nodeWork) {
			return nil, context.Cause(d.ctx)
		}
		label := d.net.PlaceLabel(p)
		q, err := b.AddPlace(label.ID, label.Name, d.initial[p])
		if err != nil {
			return nil, err
		}
		r.PlaceOf[p] = int32(q)
		r.Places = append(r.Places, p)
	}
	places := func(p petri.Place) petri.Place { return petri.Place(r.PlaceOf[p]) }
	for i := range d.transitions {
		if d.transitions[i].removed {
			continue
		}
		t := d.at(int32(i))
		if over(nodeWork + len(t.pre) + len(t.post)) {
			return nil, context.Cause(d.ctx)
		}
		if len(t.id) > longID {
			t.id = strings.ToValidUTF8(t.id[:longID-20], "") + "…" + strconv.Itoa(i)
		}
		u, err := b.AddTransition(t.id, "")
		for err != nil {
			t.id += "'"
			u, err = b.AddTransition(t.id, "")
		}
		r.sequences = append(r.sequences, t.recipe)
		for _, a := range t.pre {
			if err := b.AddInput(petri.Place(r.PlaceOf[a.place]), u, a.weight); err != nil {
				return nil, err
			}
		}
		for _, a := range t.post {
			if err := b.AddOutput(u, petri.Place(r.PlaceOf[a.place]), a.weight); err != nil {
				return nil, err
			}
		}
		if d.isFixed(int32(i)) {
			b.CopyCeilings(u, d.net, petri.Transition(i), places)
		}
	}
	if over(d.perLook) {
		return nil, context.Cause(d.ctx)
	}
	if r.counts = d.counts(r.Places); r.counts != nil {
		b.SetNUPN(d.units(r.counts.Groups, true))
	} else {
		alone := make([][]petri.Place, len(r.Places))
		for q := range r.Places {
			alone[q] = r.Places[q : q+1]
		}
		b.SetNUPN(d.units(alone, false))
	}
	var err error
	r.Net, err = b.Build()
	return r, err
}

// nodeWork is what it takes to add a node to a net, in arcs looked at.
const nodeWork = 16

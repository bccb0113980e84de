package reduce

import (
	"cmp"
	"context"
	"math"
	"slices"
	"strconv"

	"pnmc/petri"
)

// arc connects a transition with a place of a draft.
type arc struct {
	place  int32
	weight int64
}

// transition is one of a draft; pre and post are sorted by place.
type transition struct {
	pre, post []arc
	recipe    *recipe
	id        string
	removed   bool
}

// draft is a net being reduced. Places and transitions keep their numbers and
// are only marked as removed; a removed place is on no arc.
type draft struct {
	net         *petri.Net
	initial     []int64
	protected   []bool
	placeGone   []bool
	transitions []transition
	prefix      *recipe

	// consumers and producers list, for each place, transitions by number. They
	// are right after index, and rules that change arcs keep to places they have
	// not touched since (see touched).
	consumers, producers [][]int32
	touched              []bool // places whose arcs changed since index

	ctx     context.Context
	perLook int // work between two looks at ctx
	work    int // since the last one
	ended   bool
}

// workPerLook is how much work there may be between two looks at the context, about one
// for each arc looked at: below a millisecond.
const workPerLook = 1 << 14

// over counts work, and reports whether ctx has ended: then a rule stops between two of its
// removals, each of which is sound by itself.
func (d *draft) over(work int) bool {
	if d.work += work; d.work >= d.perLook {
		d.work = 0
		d.ended = d.ended || d.ctx.Err() != nil
	}
	return d.ended
}

func newDraft(ctx context.Context, net *petri.Net, protected []bool) *draft {
	d := &draft{
		ctx: ctx, perLook: workPerLook, net: net, initial: net.Initial(), protected: slices.Clone(protected),
		placeGone:   make([]bool, net.Places()),
		transitions: make([]transition, net.Transitions()),
		consumers:   make([][]int32, net.Places()), producers: make([][]int32, net.Places()),
		touched: make([]bool, net.Places()),
	}
	if d.protected == nil {
		d.protected = make([]bool, net.Places())
	}
	convert := func(arcs []petri.Arc) []arc {
		out := make([]arc, len(arcs))
		for i, a := range arcs {
			out[i] = arc{int32(a.Place), a.Weight}
		}
		return out
	}
	for t := range d.transitions {
		u := petri.Transition(t)
		d.transitions[t] = transition{
			pre: convert(net.Pre(u)), post: convert(net.Post(u)), recipe: leaf(u), id: net.TransitionLabel(u).ID,
		}
	}
	return d
}

// index lists the consumers and producers of each place anew.
func (d *draft) index() {
	for p := range d.consumers {
		d.consumers[p] = d.consumers[p][:0]
		d.producers[p] = d.producers[p][:0]
	}
	for t := range d.transitions {
		u := &d.transitions[t]
		if u.removed {
			continue
		}
		for _, a := range u.pre {
			d.consumers[a.place] = append(d.consumers[a.place], int32(t))
		}
		for _, a := range u.post {
			d.producers[a.place] = append(d.producers[a.place], int32(t))
		}
	}
	clear(d.touched)
}

// weightIn is the weight of the arc to p in arcs, which ascend, or 0.
func weightIn(arcs []arc, p int32) int64 {
	i, found := slices.BinarySearchFunc(arcs, p, func(a arc, p int32) int { return cmp.Compare(a.place, p) })
	if !found {
		return 0
	}
	return arcs[i].weight
}

// effects calls f for each place of t with what firing adds to it, maybe 0.
func (t *transition) effects(f func(p int32, consumed, produced int64)) {
	i, j := 0, 0
	for i < len(t.pre) || j < len(t.post) {
		switch {
		case j == len(t.post) || i < len(t.pre) && t.pre[i].place < t.post[j].place:
			f(t.pre[i].place, t.pre[i].weight, 0)
			i++
		case i == len(t.pre) || t.post[j].place < t.pre[i].place:
			f(t.post[j].place, 0, t.post[j].weight)
			j++
		default:
			f(t.pre[i].place, t.pre[i].weight, t.post[j].weight)
			i++
			j++
		}
	}
}

// removePlace takes p off all arcs and marks it removed.
func (d *draft) removePlace(p int32) {
	for _, list := range [][]int32{d.consumers[p], d.producers[p]} {
		for _, t := range list {
			u := &d.transitions[t]
			u.pre = withoutPlace(u.pre, p)
			u.post = withoutPlace(u.post, p)
		}
	}
	d.placeGone[p] = true
}

func withoutPlace(arcs []arc, p int32) []arc {
	return slices.DeleteFunc(arcs, func(a arc) bool { return a.place == p })
}

// invisible reports whether firing t changes no protected place.
func (d *draft) invisible(t *transition) bool {
	invisible := true
	t.effects(func(p int32, consumed, produced int64) {
		if d.protected[p] && consumed != produced {
			invisible = false
		}
	})
	return invisible
}

// maxWeight bounds weights and initial counts of a reduced net: rules that would
// exceed it do not apply.
const maxWeight = math.MaxInt32

// compose is h followed by f repeated n times, with the place p between them
// taken off: the pre-set of f beyond p must not depend on h unless h produces
// it. It reports false if a weight grows out of bounds.
func compose(h, f *transition, n int64, p int32) (transition, bool) {
	t := transition{recipe: h.recipe.then(f.recipe.times(n)), id: h.id + "." + f.id}
	if n != 1 {
		t.id += "^" + strconv.FormatInt(n, 10)
	}
	ok := true
	// Per place, h then f^n: f needs n·pre(f) in total when it gives nothing
	// back in between; with post(f) it needs pre + (n-1)·max(0, pre-post).
	need := make(map[int32][2]int64, len(h.pre)+len(f.pre)+len(h.post)+len(f.post))
	h.effects(func(q int32, consumed, produced int64) { need[q] = [2]int64{consumed, produced - consumed} })
	f.effects(func(q int32, consumed, produced int64) {
		if n > maxWeight || consumed > maxWeight || produced > maxWeight {
			ok = false
			return
		}
		before := need[q]
		needed := consumed + (n-1)*max(0, consumed-produced)
		if consumed == 0 {
			needed = 0
		}
		need[q] = [2]int64{max(before[0], needed-before[1]), before[1] + n*(produced-consumed)}
	})
	for q, v := range need {
		consumed, produced := v[0], v[0]+v[1]
		if q == p {
			ok = ok && consumed == 0 && produced == 0
			continue
		}
		if consumed > maxWeight || produced > maxWeight || produced < 0 {
			ok = false
		}
		if consumed > 0 {
			t.pre = append(t.pre, arc{q, consumed})
		}
		if produced > 0 {
			t.post = append(t.post, arc{q, produced})
		}
	}
	byPlace := func(a, b arc) int { return cmp.Compare(a.place, b.place) }
	slices.SortFunc(t.pre, byPlace)
	slices.SortFunc(t.post, byPlace)
	return t, ok
}

// finish makes the reduced net.
func (d *draft) finish(applied []int) (*Reduction, error) {
	b := &petri.Builder{ID: d.net.ID, Name: d.net.Name}
	r := &Reduction{PlaceOf: make([]int32, d.net.Places()), Applied: applied, prefix: d.prefix}
	for p := range petri.Place(d.net.Places()) {
		r.PlaceOf[p] = -1
		if d.placeGone[p] {
			continue
		}
		label := d.net.PlaceLabel(p)
		q, err := b.AddPlace(label.ID, label.Name, d.initial[p])
		if err != nil {
			return nil, err
		}
		r.PlaceOf[p] = int32(q)
		r.Places = append(r.Places, p)
	}
	for i := range d.transitions {
		t := &d.transitions[i]
		if t.removed {
			continue
		}
		if len(t.id) > 80 {
			t.id = t.id[:60] + "…" + strconv.Itoa(i)
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
	}
	var err error
	r.Net, err = b.Build()
	return r, err
}

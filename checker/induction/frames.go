package induction

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"pnmc/internal/smtlib"
	"pnmc/logic"
	"pnmc/petri"
)

// clause is a cube that no marking has after at most frame firings, as far as the solver is right.
type clause struct {
	cube  Cube
	frame int
}

// forever is the frame of what the state equation excludes.
const forever = math.MaxInt

// The session has for frame i a Boolean f_i. Where it is assumed, the clauses hold whose frame is i. As
// frame i has all clauses of later frames too, it is asked for with f_i and all later ones. Frame 0 is
// the initial marking.

// frame declares a frame.
func (d *directed) frame(i int) { d.session.Tell("(declare-fun f%d () Bool)", i) }

// assumptions returns those of frame i.
func (d *directed) assumptions(i int) []string {
	if i == 0 {
		return []string{"f0"}
	}
	var list []string
	for ; i <= d.last; i++ {
		list = append(list, "f"+strconv.Itoa(i))
	}
	return list
}

// declare makes a place known to the session, with its invariants, and with the places of these.
func (d *directed) declare(p petri.Place) {
	first := len(d.places)
	d.declareAlone(p)
	for i := first; i < len(d.places); i++ {
		for _, f := range d.flowsAt[d.places[i]] {
			if d.told[f] {
				continue
			}
			d.told[f] = true
			for _, a := range d.flows[f].Terms {
				d.declareAlone(a.Place)
			}
			d.session.Tell("(assert %s)", flowText(placeName, d.flows[f]))
		}
	}
}

// declareAlone makes a place known to the session.
func (d *directed) declareAlone(p petri.Place) {
	if d.declared[p] {
		return
	}
	d.declared[p] = true
	d.places = append(d.places, p)
	name := placeName(uint32(p))
	d.session.Tell("(declare-fun %s () Int)\n(assert (>= %s 0))\n(assert (=> f0 (= %s %d)))", name, name, name, d.initial[p])
}

// declareAll makes the places of sums known.
func (d *directed) declareAll(list []logic.Sum) {
	for _, s := range list {
		for _, t := range s.Terms {
			d.declare(petri.Place(t.Place))
		}
	}
}

// declareOf makes the places of p known.
func (d *directed) declareOf(p *logic.Predicate) {
	d.declareAll([]logic.Sum{p.Sum})
	for _, q := range p.Operands {
		d.declareOf(q)
	}
}

// comparison returns the name of the Boolean that stands for comparison i of the cube at hand.
func (d *directed) comparison(i int) string {
	name := "c" + strconv.Itoa(i)
	if i >= d.comparisons {
		d.session.Tell("(declare-fun %s () Bool)", name)
		d.comparisons = i + 1
	}
	return name
}

// model returns the marking of the last answer, in which places that the session does not know are empty.
func (d *directed) model() (petri.Marking, error) {
	names := make([]string, len(d.places))
	for i, p := range d.places {
		names[i] = placeName(uint32(p))
	}
	values, err := d.session.Values(names)
	if err != nil {
		return nil, err
	}
	m := make(petri.Marking, d.net.Places())
	for i, p := range d.places {
		if values[i] < 0 {
			return nil, ErrWrong
		}
		m[p] = values[i]
	}
	return m, nil
}

// add adds a clause, and drops those that it makes superfluous.
func (d *directed) add(c clause) error {
	kept := d.clauses[:0]
	for _, old := range d.clauses {
		if old.frame > c.frame || !c.cube.covers(old.cube) {
			kept = append(kept, old)
		}
	}
	d.clauses = append(kept, c)
	if len(d.clauses) > maxClauses {
		return ErrLarge
	}
	d.declareAll(c.cube)
	negated := "(not " + text(placeName, func(w *writer) { w.conjunction(c.cube) }) + ")"
	if c.frame == forever {
		d.session.Tell("(assert %s)", negated)
	} else {
		d.session.Tell("(assert (=> f%d %s))", c.frame, negated)
	}
	return nil
}

// isExcluded reports whether a clause excludes c from a frame.
func (d *directed) isExcluded(c Cube, frame int) bool {
	for _, old := range d.clauses {
		if old.frame >= frame && old.cube.covers(c) {
			return true
		}
	}
	return false
}

// leadsInto asks whether a firing leads into c from a marking of the frame outside of c. It returns the
// cube before c, with the transition, or else comparisons of c that are enough for none to lead there.
func (d *directed) leadsInto(c Cube, frame int) (before *obligation, core Cube, err error) {
	transitions := d.touching(c)
	d.declareAll(c)
	names := make([]string, len(c))
	for i := range c {
		names[i] = d.comparison(i)
	}
	var choices strings.Builder
	for _, t := range transitions {
		enabling := d.enabling(t)
		d.declareAll(enabling)
		after := make([]logic.Sum, len(c))
		for i, sum := range c {
			var ok bool
			if after[i], ok = d.after(t, sum); !ok {
				return nil, nil, ErrNotLinear
			}
		}
		choices.WriteString(text(placeName, func(w *writer) {
			w.WriteString("\n (and ")
			w.conjunction(enabling)
			for i, sum := range after {
				fmt.Fprintf(w, " (=> %s ", names[i])
				w.comparison("<=", sum)
				w.WriteByte(')')
			}
			w.WriteByte(')')
		}))
		if err := d.work.Charge(len(c)*sumWork + choices.Len()/len(transitions)); err != nil {
			return nil, nil, err
		}
	}
	d.session.Tell("(push 1)")
	d.session.Tell("(assert (not %s))", text(placeName, func(w *writer) { w.conjunction(c) }))
	d.session.Tell("(assert (or false false%s))", choices.String())
	result, err := d.session.Check(append(d.assumptions(frame), names...)...)
	defer func() { d.session.Tell("(pop 1)") }()
	switch {
	case err != nil:
		return nil, nil, err
	case result == smtlib.Unknown:
		return nil, nil, ErrUnknown
	case result == smtlib.Satisfiable:
		before, err = d.fired(c, transitions)
		return before, nil, err
	}
	used, err := d.session.Core()
	if err != nil {
		return nil, nil, err
	}
	for i, name := range names {
		if used[name] {
			core = append(core, c[i])
		}
	}
	return nil, d.withoutInitial(core, c), nil
}

// fired returns the cube before c by the first transition that leads into c from the marking of the model.
func (d *directed) fired(c Cube, transitions []petri.Transition) (*obligation, error) {
	m, err := d.model()
	if err != nil {
		return nil, err
	}
	for _, t := range transitions {
		cube, possible, err := d.before(t, c)
		if err != nil {
			return nil, err
		}
		if possible && cube.Contains(m) {
			return &obligation{cube: cube, by: t}, nil
		}
	}
	return nil, ErrWrong
}

// propagate puts clauses into the next frame if they hold one step longer. It returns the clauses of a frame
// that is equal to the one before: these are an invariant, if the solver is right.
func (d *directed) propagate() ([]Cube, error) {
	d.frame(d.last + 1)
	for i := 1; i <= d.last; i++ {
		stay := false
		for _, c := range append([]clause(nil), d.clauses...) {
			if c.frame != i {
				continue
			}
			before, core, err := d.leadsInto(c.cube, i)
			if err != nil {
				return nil, err
			}
			if before != nil {
				stay = true
			} else if err := d.add(clause{core, i + 1}); err != nil {
				return nil, err
			}
		}
		if !stay {
			invariant := []Cube{}
			for _, c := range d.clauses {
				if c.frame > i {
					invariant = append(invariant, c.cube)
				}
			}
			return invariant, nil
		}
	}
	return nil, nil
}

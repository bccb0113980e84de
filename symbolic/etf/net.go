package etf

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"pnmc/internal/account"
	"pnmc/petri"
)

// Net returns m as a one-safe net with the same state graph. It has a place name_value for
// each value of each variable in the file; the place of the present value is marked. It has
// a transition for each row, r1, r2, … in the order of the file, named after the row's
// first label. Each variable is a unit of the net, unless a name has white space in it,
// which lists of units in PNML can't have. An error reports variables whose places would
// have the same names, or is the reason to stop if the context ends or the budget of memory in it is
// spent.
func (m *Model) Net(ctx context.Context) (*petri.Net, error) {
	if len(m.Initial) != len(m.Variables) {
		return nil, fmt.Errorf("initial state of %d values for %d variables", len(m.Initial), len(m.Variables))
	}
	work := account.Of(ctx)
	found, err := m.values(work)
	if err != nil {
		return nil, err
	}
	b := petri.Builder{ID: "net"}
	units := &petri.NUPN{Units: []petri.Unit{{ID: "root"}}, Safe: true}
	places := make([]map[int32]petri.Place, len(m.Variables))
	for v, values := range found {
		places[v] = map[int32]petri.Place{}
		unit := petri.Unit{ID: fmt.Sprintf("u%d", v+1)}
		for _, value := range values {
			if err := work.Charge(nodeWork + len(m.variableName(uint32(v)))); err != nil {
				return nil, err
			}
			var tokens int64
			if value == m.Initial[v] {
				tokens = 1
			}
			p, err := b.AddPlace(fmt.Sprintf("%s_%d", m.variableName(uint32(v)), value), "", tokens)
			if err != nil {
				return nil, err
			}
			places[v][value] = p
			unit.Places = append(unit.Places, p)
		}
		units.Units[0].Subunits = append(units.Units[0].Subunits, len(units.Units))
		units.Units = append(units.Units, unit)
	}
	row, arcs, labels := 0, 0, m.labelNames()
	for _, g := range m.Groups {
		for _, r := range g {
			row++
			arcs += 2 * len(r.Entries)
			name := ""
			if len(r.Labels) > 0 {
				name = labels.name(r.Labels[0])
			}
			if err := cmp.Or(work.Charge(nodeWork+len(name)), b.Room(work, len(r.Entries), len(r.Entries))); err != nil {
				return nil, err
			}
			t, err := b.AddTransition(fmt.Sprintf("r%d", row), name)
			if err != nil {
				return nil, err
			}
			for _, e := range r.Entries {
				if err := b.AddInput(places[e.Variable][e.Before], t, 1); err != nil {
					return nil, err
				}
				if err := b.AddOutput(t, places[e.Variable][e.After], 1); err != nil {
					return nil, err
				}
			}
		}
	}
	// What Build makes of the arcs, in rows and in columns, and then gives back.
	if err := work.Reserve(arcs * builtArcBytes); err != nil {
		return nil, err
	}
	if !slices.ContainsFunc(m.Variables, func(t Typed) bool { return strings.ContainsFunc(t.Name, unicode.IsSpace) }) {
		b.SetNUPN(units)
	}
	return b.Build()
}

// nodeWork is about what a place or a transition takes while the net is made, with its entries in
// maps, and builtArcBytes what an arc takes in the net itself.
const (
	nodeWork      = 400
	builtArcBytes = 24
)

// values returns, for each variable, the values that the file has for it, ascending.
func (m *Model) values(work *account.Account) ([][]int32, error) {
	values := make([][]int32, len(m.Variables))
	for v, x := range m.Initial {
		values[v] = []int32{x}
	}
	for _, g := range m.Groups {
		for _, r := range g {
			for _, e := range r.Entries {
				if err := account.Room(work, values[e.Variable], 2); err != nil {
					return nil, err
				}
				values[e.Variable] = append(values[e.Variable], e.Before, e.After)
			}
		}
	}
	for v := range values {
		if err := work.Charge(sortWork * len(values[v])); err != nil {
			return nil, err
		}
		slices.Sort(values[v])
		values[v] = slices.Compact(values[v])
	}
	return values, nil
}

// sortWork is about what it takes to sort a value among others, in nanoseconds.
const sortWork = 64

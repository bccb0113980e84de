package symmetric

import (
	"fmt"
	"slices"
	"sort"
	"strings"

	"pnmc/petri"
)

// build makes the unfolded net from the colours and bindings found.
func (u *unfolder) build() (*Unfolding, error) {
	b := &petri.Builder{ID: u.net.ID, Name: u.net.Name}
	result := &Unfolding{
		Coloured:    u.net,
		Places:      make([][]petri.Place, len(u.net.Places)),
		Transitions: make([][]petri.Transition, len(u.net.Transitions)),
	}
	names := &namer{taken: make(map[string]bool)}
	numbers := make([]map[int64]petri.Place, len(u.net.Places))
	for p := range u.net.Places {
		place := &u.net.Places[p]
		tuples := make([]int64, 0, len(u.facts[p]))
		for tuple := range u.facts[p] {
			tuples = append(tuples, tuple)
		}
		slices.Sort(tuples)
		u.facts[p] = nil
		numbers[p] = make(map[int64]petri.Place, len(tuples))
		initial := u.initial[p]
		for _, tuple := range tuples {
			count := int64(0)
			if len(initial) > 0 && initial[0].tuple == tuple {
				count, initial = initial[0].count, initial[1:]
			}
			colours := place.Domain.Colours(tuple)
			number, err := b.AddPlace(names.identifier(place.ID, colours),
				title(place.ID, place.Name, strings.Join(colours, ",")), count)
			if err != nil {
				return nil, err
			}
			numbers[p][tuple] = number
			result.Places[p] = append(result.Places[p], number)
		}
	}
	for i := range u.net.Transitions {
		if err := u.buildTransition(b, i, names, numbers, result); err != nil {
			return nil, err
		}
	}
	var err error
	result.Net, err = b.Build()
	return result, err
}

// buildTransition adds a transition for each binding of transition i.
func (u *unfolder) buildTransition(b *petri.Builder, i int, names *namer,
	numbers []map[int64]petri.Place, result *Unfolding) error {
	t := &u.net.Transitions[i]
	bindings := &bindingList{u.bindings[i], len(t.Variables), u.count[i]}
	if bindings.width > 0 {
		sort.Sort(bindings)
	}
	colours := make([]string, len(t.Variables))
	for k := range bindings.count {
		if k&0xFFF == 0 && u.ctx.Err() != nil {
			return u.ctx.Err()
		}
		binding := bindings.at(k)
		for v := range colours {
			colours[v] = t.Variables[v].Class.Colour(binding[v])
		}
		number, err := b.AddTransition(names.identifier(t.ID, colours), title(t.ID, t.Name, t.Binding(binding)))
		if err != nil {
			return err
		}
		result.Transitions[i] = append(result.Transitions[i], number)
		for a := range t.Pre {
			for _, token := range u.arcTokens(i, &t.Pre[a], binding) {
				if err := b.AddInput(numbers[t.Pre[a].Place][token.tuple], number, token.count); err != nil {
					return err
				}
			}
		}
		for a := range t.Post {
			for _, token := range u.arcTokens(i, &t.Post[a], binding) {
				if err := b.AddOutput(number, numbers[t.Post[a].Place][token.tuple], token.count); err != nil {
					return err
				}
			}
		}
	}
	u.bindings[i] = nil
	return nil
}

// bindingList sorts bindings that lie one after the other in a slice.
type bindingList struct {
	values []int64
	width  int
	count  int
}

func (l *bindingList) at(i int) []int64   { return l.values[i*l.width : (i+1)*l.width] }
func (l *bindingList) Len() int           { return l.count }
func (l *bindingList) Less(i, j int) bool { return slices.Compare(l.at(i), l.at(j)) < 0 }
func (l *bindingList) Swap(i, j int) {
	x, y := l.at(i), l.at(j)
	for k := range x {
		x[k], y[k] = y[k], x[k]
	}
}

// namer gives unfolded nodes their identifiers.
type namer struct {
	taken map[string]bool
}

// identifier is id followed by the colours, which is the contest's way:
// "Fork_3". Should it be in use, since identifiers and colours may contain the
// separator, it is followed by a number.
func (n *namer) identifier(id string, colours []string) string {
	whole := id
	if len(colours) > 0 {
		whole = id + "_" + strings.Join(colours, "_")
	}
	free := whole
	for k := 2; n.taken[free]; k++ {
		free = fmt.Sprintf("%s.%d", whole, k)
	}
	n.taken[free] = true
	return free
}

// title is the name of an unfolded node: that of the coloured node, or its
// identifier, with the colour or binding in brackets.
func title(id, name, colour string) string {
	if name == "" {
		name = id
	}
	if colour == "" {
		return name
	}
	return name + "[" + colour + "]"
}

package etf

import (
	"fmt"
	"slices"
	"strconv"

	"pnmc/logic"
)

// vocabulary lets formulas name the variables of a model, as places, and the
// events that carry a label, as transitions.
type vocabulary struct {
	model  *Model
	places map[string]uint32
	labels map[string][]uint32 // events, in the order of System
	events []string
	names  []string // of labels, as they occur
}

// Vocabulary returns the variables of m, as places, and the values of its first edge
// label, as transitions: each stands for all rows that carry it.
func (m *Model) Vocabulary() logic.Vocabulary {
	v := &vocabulary{model: m, places: map[string]uint32{}, labels: map[string][]uint32{}}
	for i, t := range m.Variables {
		if t.Name != "" {
			v.places[t.Name] = uint32(i)
		}
	}
	labels := m.labelNames()
	for g, rows := range m.Groups {
		for r, row := range rows {
			name := fmt.Sprintf("row %d of transition group %d", r+1, g+1)
			if len(row.Labels) > 0 {
				name = labels.name(row.Labels[0])
				if v.labels[name] == nil {
					v.names = append(v.names, name)
				}
				v.labels[name] = append(v.labels[name], uint32(len(v.events)))
			}
			v.events = append(v.events, name)
		}
	}
	return v
}

// valueNames are the values of the sorts of one name, each list longer than those before it. The name
// of a value is that in the first list that has it, so that a list which is not longer names nothing.
//
// A file may have as many sorts as rows: each row asks this index, and not all sorts.
type valueNames [][]string

// labelNames returns what the sort of the first edge label calls its values.
func (m *Model) labelNames() valueNames {
	var names valueNames
	longest := 0
	for _, s := range m.Sorts {
		if len(m.EdgeLabels) == 0 || s.Name == "" || s.Name != m.EdgeLabels[0].Sort {
			continue
		}
		if len(s.Values) > longest {
			longest = len(s.Values)
			names = append(names, s.Values)
		}
	}
	return names
}

// name returns what a value is called, or else the number.
func (n valueNames) name(value int32) string {
	if value >= 0 {
		first, _ := slices.BinarySearchFunc(n, int(value), func(values []string, value int) int { return len(values) - 1 - value })
		if first < len(n) {
			return n[first][value]
		}
	}
	return strconv.Itoa(int(value))
}

// Places returns the variable of that name.
func (v *vocabulary) Places(name string) []uint32 {
	if p, ok := v.places[name]; ok {
		return []uint32{p}
	}
	return nil
}

// Transitions returns the rows with that label.
func (v *vocabulary) Transitions(name string) []uint32 { return v.labels[name] }

// PlaceName returns the name of a variable.
func (v *vocabulary) PlaceName(p uint32) string { return v.model.variableName(p) }

// TransitionName returns the label of a row, or else where the row stands.
func (v *vocabulary) TransitionName(t uint32) string { return v.events[t] }

// TransitionNames returns the labels of rows, each once.
func (v *vocabulary) TransitionNames() []string { return v.names }

// PlaceNames returns the names of all variables.
func (v *vocabulary) PlaceNames() []string {
	names := make([]string, len(v.model.Variables))
	for i := range names {
		names[i] = v.model.variableName(uint32(i))
	}
	return names
}

// Shifted translates p, which speaks of the values in the file, to the values of
// System: each is less by the Smallest of its variable. An error reports numbers beyond
// 64 bits.
func (m *Model) Shifted(p *logic.Predicate) (*logic.Predicate, error) {
	return shiftedBy(p, m.Smallest())
}

// shiftedBy replaces each value x of a variable by x + low in all sums of p.
func shiftedBy(p *logic.Predicate, low []int32) (*logic.Predicate, error) {
	var err error
	q := p.WithSums(func(s logic.Sum) logic.Sum {
		for _, t := range s.Terms {
			shift := t.Coefficient * int64(low[t.Place])
			sum := s.Constant + shift
			if low[t.Place] != 0 && shift/int64(low[t.Place]) != t.Coefficient || (sum < s.Constant) != (shift < 0) {
				err = fmt.Errorf("variable %d: the coefficient %d is too large", t.Place, t.Coefficient)
				return s
			}
			s.Constant = sum
		}
		return s
	})
	if err != nil {
		return nil, err
	}
	q.Transitions = p.Transitions
	for _, o := range p.Operands {
		shifted, err := shiftedBy(o, low)
		if err != nil {
			return nil, err
		}
		q.Operands = append(q.Operands, shifted)
	}
	return q, nil
}

package etf

import (
	"context"
	"errors"
	"fmt"
	"unsafe"

	"pnmc/internal/account"
	"pnmc/symbolic"
)

// A Model is the content of a file.
type Model struct {
	Variables  []Typed // the entries of state vectors
	EdgeLabels []Typed
	Initial    []int32 // by variable
	Groups     []Group
	Maps       []Map
	Sorts      []Sort
}

// Typed is a name with its sort, written name:sort; either is empty where the file has
// an underscore, which says that there is none.
type Typed struct{ Name, Sort string }

// A Group is one trans section: a table of rows.
type Group []Row

// A Row is possible in the states that have the value Before for each of its
// entries, and leads to the state with the values After there.
type Row struct {
	Entries []Entry // ascending by variable
	Labels  []int32 // by edge label
}

// An Entry is what a row says about one variable.
type Entry struct {
	Variable      int
	Before, After int32
}

// A Map is a state label as a table: the result of the row that matches.
type Map struct {
	Typed
	Rows []MapRow
}

// A MapRow matches states that have the value Before, equal to After, for each
// entry.
type MapRow struct {
	Entries []Entry
	Result  int32
}

// A Sort names the values 0, 1, … of a type.
type Sort struct {
	Name   string
	Values []string
}

// System returns m as a system of symbolic exploration: a variable for each of m's, an
// event for each row. Each variable's values are shifted by what Smallest says, so that
// none is negative.
func (m *Model) System() (*symbolic.System, error) {
	if len(m.Initial) != len(m.Variables) {
		return nil, fmt.Errorf("initial state of %d values for %d variables", len(m.Initial), len(m.Variables))
	}
	low := m.Smallest()
	s := &symbolic.System{Names: make([]string, len(m.Variables)), Initial: make([]uint32, len(m.Variables))}
	for v := range m.Variables {
		s.Names[v] = m.variableName(uint32(v))
		s.Initial[v] = shifted(m.Initial[v], low[v])
	}
	for _, g := range m.Groups {
		for _, r := range g {
			var e symbolic.Event
			for _, x := range r.Entries {
				before := shifted(x.Before, low[x.Variable])
				e = append(e, symbolic.Guard{
					Variable: uint32(x.Variable), Low: before, High: before, Delta: int64(x.After) - int64(x.Before),
				})
			}
			s.Events = append(s.Events, e)
		}
	}
	return s, nil
}

// shifted returns how much a value is above the lowest.
func shifted(value, low int32) uint32 { return uint32(int64(value) - int64(low)) }

// Smallest returns for each variable its smallest value in the file, or zero if none
// is negative.
func (m *Model) Smallest() []int32 {
	low := make([]int32, len(m.Variables))
	for v, x := range m.Initial {
		low[v] = min(low[v], x)
	}
	for _, g := range m.Groups {
		for _, r := range g {
			for _, e := range r.Entries {
				low[e.Variable] = min(low[e.Variable], e.Before, e.After)
			}
		}
	}
	return low
}

// maximalRows bounds the table of one event of FromStateSpace.
const maximalRows = 1 << 20

// entryBytes are those of an entry of a row.
const entryBytes = int(unsafe.Sizeof(Entry{}))

// FromStateSpace returns the model of an explored system: a group for each event, with
// a row for each choice of values that its guards allow within the bounds, and
// one edge label, action, with the event's name. An error says that the state
// space is not complete, that an event has too many rows, or that ctx has ended or its memory
// is used up.
func FromStateSpace(ctx context.Context, s *symbolic.StateSpace, eventNames []string) (*Model, error) {
	if !s.Complete {
		return nil, errors.New("the bounds of the variables are not known")
	}
	work := account.Of(ctx)
	m := &Model{
		EdgeLabels: []Typed{{"action", "action"}},
		Sorts:      []Sort{{"place", nil}, {"action", eventNames}},
	}
	for v, name := range s.System.Names {
		m.Variables = append(m.Variables, Typed{name, "place"})
		m.Initial = append(m.Initial, int32(s.System.Initial[v]))
		if s.Bounds[v] > 1<<31-1 {
			return nil, fmt.Errorf("variable %q reaches %d, more than 2^31-1", name, s.Bounds[v])
		}
	}
	for i, e := range s.System.Events {
		g := Group{{Labels: []int32{int32(i)}}}
		for _, guard := range e {
			var longer Group
			high := int64(min(guard.High, s.Bounds[guard.Variable]))
			for _, row := range g {
				for before := int64(guard.Low); before <= high; before++ {
					after := guard.After(uint32(before))
					if after > int64(s.Bounds[guard.Variable]) {
						continue // never taken
					}
					entries := append(row.Entries[:len(row.Entries):len(row.Entries)],
						Entry{int(guard.Variable), int32(before), int32(after)})
					err := work.Charge(len(entries) * entryBytes)
					if err == nil {
						err = account.Room(work, longer, 1)
					}
					if err != nil {
						return nil, err
					}
					longer = append(longer, Row{entries, row.Labels})
					if len(longer) > maximalRows {
						return nil, fmt.Errorf("event %q needs more than %d rows of a table", eventNames[i], maximalRows)
					}
				}
			}
			g = longer
		}
		m.Groups = append(m.Groups, g)
	}
	return m, nil
}

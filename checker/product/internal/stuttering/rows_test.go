package stuttering

import (
	"errors"
	"testing"

	"pnmc/automata"
	"pnmc/automata/testingautomata"
	"pnmc/checker/product/internal/states"
	"pnmc/internal/account"
	"pnmc/internal/petritest"
	"pnmc/petri"
	"pnmc/petri/labelling"
)

// telling is a reader whose only step for a state and two letters tells which they are.
type telling struct{}

func (telling) Letter(automata.Valuation) uint32 { return 0 }
func (telling) Initial(uint32) []uint32          { return []uint32{0} }
func (telling) Universal(_, _ uint32) bool       { return false }
func (telling) States() int                      { return 1 }
func (telling) Steps(n, from, to uint32) []testingautomata.Step {
	return []testingautomata.Step{{To: n, Marks: uint64(from)<<32 | uint64(to)}}
}

// TestRowsAreToldApart: rows are those of their state and letters, however many of them there
// are, also where some bits of one follow those of another.
func TestRowsAreToldApart(t *testing.T) {
	var numbers []uint32
	for _, bit := range []int{0, 8, 16, 20, 21, 24, 30} {
		numbers = append(numbers, 1<<bit-1, 1<<bit, 1<<bit+1)
	}
	p := &Product{numbering: states.Numbering{States: 1, Account: new(account.Account)}, table: newTable(telling{}, new(account.Account))}
	for range 2 { // rows are made, and found again
		for _, n := range numbers {
			for _, from := range numbers {
				for _, to := range numbers {
					first, end := p.row(n, from, to)
					if end != first+1 || p.full != nil {
						t.Fatalf("%d steps, %v", end-first, p.full)
					}
					if s := p.Steps[first]; s.To != n || s.Marks != uint64(from)<<32|uint64(to) {
						t.Fatalf("the row of state %d and letters %d and %d is that of state %d and letters %d and %d", n, from, to, s.To, s.Marks>>32, uint32(s.Marks))
					}
				}
			}
		}
	}
}

// TestNothingHoldsWithoutRows: where there was no room for a row, that nothing was found does
// not show that there is nothing.
func TestNothingHoldsWithoutRows(t *testing.T) {
	k := petri.NewKripke(petritest.Philosophers(2), petri.Facts{}, petri.Budget{})
	for _, reason := range []error{nil, errors.New("no room")} {
		x := &Search{most: states.Most, Product: newProduct(k, []*labelling.Proposition{}, telling{}, func(uint64) bool { return false })}
		x.full = reason
		if f, err := x.Find(); f != nil || err != reason {
			t.Errorf("found %v, error %v, expected nothing and %v", f, err, reason)
		}
	}
}

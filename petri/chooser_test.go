package petri

import "testing"

// dear leaves out one of the enabled transitions, and says that it took so long.
type dear struct{ spent int }

func (d *dear) Spent() int { return d.spent }

func (d *dear) Select(_ Marking, enabled []Transition) []Transition {
	if len(enabled) < 2 {
		return enabled
	}
	return enabled[1:]
}

// Choosing rests where it costs more than the markings that it saves, and only there.
func TestChoosingRestsWhereItIsDear(t *testing.T) {
	part := func(spent int, weighed bool) (part, states int64) {
		k := NewKripke(counters(t, 7), Facts{}, Budget{})
		selection := Selection(&dear{spent})
		if !weighed {
			selection = struct{ Selection }{selection}
		}
		k.Select(selection, false)
		for s := StateID(0); int(s) < k.Len(); s++ {
			if _, err := k.Successors(s); err != nil {
				t.Fatal(err)
			}
		}
		return k.Savings().Part, k.Savings().States
	}
	if part, states := part(10, true); part*2 < states {
		t.Errorf("part of the firings in %d of %d markings, at little cost", part, states)
	}
	if part, states := part(1e6, false); part*2 < states {
		t.Errorf("part of the firings in %d of %d markings, at unknown cost", part, states)
	}
	if part, states := part(1e6, true); part < windowStates/2 || part*5 > states {
		t.Errorf("part of the firings in %d of %d markings, at great cost", part, states)
	}
}

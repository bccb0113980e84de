package petri

import (
	"slices"
	"testing"

	"pnmc/internal/account"
)

// machine returns a net of one state machine with n states that are marked in turn,
// and a place with three tokens beside it that are taken away one by one.
func machine(t *testing.T, n int, nupn bool) *Net {
	t.Helper()
	var b Builder
	places := make([]Place, n)
	for i := range places {
		initial := int64(0)
		if i == 0 {
			initial = 1
		}
		p, err := b.AddPlace(string(rune('a'+i)), "", initial)
		if err != nil {
			t.Fatal(err)
		}
		places[i] = p
	}
	fuel, _ := b.AddPlace("fuel", "", 3)
	for i := range places {
		tr, _ := b.AddTransition("t"+string(rune('a'+i)), "")
		if b.AddInput(places[i], tr, 1) != nil || b.AddOutput(tr, places[(i+1)%n], 1) != nil || b.AddInput(fuel, tr, 1) != nil {
			t.Fatal("arc refused")
		}
	}
	if nupn {
		b.SetNUPN(&NUPN{Safe: true, Units: []Unit{{ID: "u", Places: places}}})
	}
	net, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	return net
}

func TestLayoutChoosesFields(t *testing.T) {
	semiflow := Semiflow{Value: 1}
	for p := range Place(9) {
		semiflow.Terms = append(semiflow.Terms, Arc{p, 1})
	}
	bounds := make([]int64, 10)
	for p := range bounds {
		bounds[p] = 1
	}
	bounds[9] = 3
	tests := []struct {
		name  string
		nupn  bool
		facts Facts
		bits  int
	}{
		{"nothing known", false, Facts{}, 10 * unprovenWidth},
		{"a unit's claim", true, Facts{}, 4 + unprovenWidth},
		{"bounds", false, Facts{Bounds: bounds}, 9 + 2},
		{"a semiflow of sum one", false, Facts{Bounds: bounds, Semiflows: []Semiflow{semiflow}}, 4 + 2},
	}
	for _, test := range tests {
		net := machine(t, 9, test.nupn)
		l := newLayout(new(account.Account), net, test.facts)
		if l.Bits() != test.bits || l.Words() != 1 || l.Bytes() != (test.bits+7)/8 {
			t.Errorf("%s: %d bits in %d words and %d bytes, expected %d bits", test.name, l.Bits(), l.Words(), l.Bytes(), test.bits)
		}
		packed, m := make([]uint64, l.Words()), make(Marking, net.Places())
		if narrow := l.Pack(net.Initial(), packed); narrow >= 0 {
			t.Errorf("%s: field %d can't hold the initial marking", test.name, narrow)
		}
		if l.Unpack(packed, m); !slices.Equal(m, net.Initial()) {
			t.Errorf("%s: %v came back as %v", test.name, net.Initial(), m)
		}
	}
}

// TestLayoutLeavesOutImpliedPlaces: of each Kanban cell's four places one is
// determined by the others.
func TestLayoutLeavesOutImpliedPlaces(t *testing.T) {
	net := machine(t, 2, false)
	l := newLayout(new(account.Account), net, Facts{
		Bounds:    []int64{1, 1, 3},
		Semiflows: []Semiflow{{Terms: []Arc{{0, 1}, {1, 1}}, Value: 1}},
	})
	if l.Bits() != 3 || len(l.implied) != 1 {
		t.Errorf("%d bits and %d implied places, expected 3 and 1", l.Bits(), len(l.implied))
	}
	packed := make([]uint64, 1)
	for _, m := range []Marking{{1, 0, 2}, {0, 1, 3}} {
		l.Pack(m, packed)
		for p := range Place(3) {
			if got := l.Tokens(packed, p); got != m[p] {
				t.Errorf("place %d has %d tokens in %v", p, got, m)
			}
		}
	}
}

func TestLayoutWidens(t *testing.T) {
	net := machine(t, 3, true)
	l := newLayout(new(account.Account), net, Facts{})
	m, packed := Marking{1, 1, 0, 7}, make([]uint64, 1)
	for steps := 0; ; steps++ {
		narrow := l.Pack(m, packed)
		if narrow < 0 {
			break
		}
		wide, ok := l.widened(narrow)
		if !ok || steps > 2 {
			t.Fatalf("field %d of %d does not get wide enough", narrow, len(l.fields))
		}
		l = wide
	}
	back := make(Marking, 4)
	if l.Unpack(packed, back); !slices.Equal(back, m) {
		t.Errorf("%v came back as %v", m, back)
	}
}

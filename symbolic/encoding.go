package symbolic

import (
	"context"
	"errors"
	"slices"
	"unsafe"

	"pnmc/internal/account"
	"pnmc/internal/suggest"
	"pnmc/petri"
)

// Of some groups of places at most one is marked at a time, with one token: the places of a unit of
// a nested-unit net, or of a semiflow of one token. Such a group can be one variable whose value
// says which place it is. It takes one level instead of k, and one node instead of up to k on each
// path: diagrams get smaller by an order of magnitude, and what they are computed from by more.
//
// For example, a process is idle, trying or busy. As places that is three variables with values 0
// and 1, and events such as "take one from idle, add one to trying". As a group it is one variable
// with the values 0 for none, 1 for idle, 2 for trying and 3 for busy. The event is "value 1, add
// 1".
//
// Whether a group is one is not believed but checked on the result. An event that puts a token into
// a group without taking one is said as "value 0, becomes the place's mark". If the group already
// has a token, that event is not possible in the diagram, though it may be in the net. So for each
// such event there is an Exclusion: the same guards, and the value of the group at least 1.
// After the exploration these are looked for among the states found. If none is possible, no firing
// was left out, by induction along any run, and the states are all there are. If one is, the net is
// explored again with places as variables.

// Encoding says how a net becomes a System.
type Encoding uint8

// The encodings.
const (
	// PerPlace has a variable for each place.
	PerPlace Encoding = iota
	// PerGroup has a variable for each group of places of which at most one is
	// marked, and for each other place.
	PerGroup
)

var encodingNames = suggest.Names[Encoding]{"places", "groups"}

// String returns the encoding's name, as ParseEncoding reads it.
func (e Encoding) String() string { return encodingNames.Of(e) }

// EncodingNames returns the names of all encodings.
func EncodingNames() []string { return encodingNames.All() }

// ParseEncoding reads the name of an encoding.
func ParseEncoding(name string) (Encoding, error) { return encodingNames.Parse(name) }

// A Code says what the value of a variable means for a place. If Mark is 0, the value is the number
// of its tokens. Otherwise the place has one token if the value is Mark, and none if not.
type Code struct {
	Variable uint32
	Mark     uint32
}

// tokens returns the number of tokens of the place when the variable has that value.
func (c Code) tokens(value uint32) uint32 {
	switch c.Mark {
	case 0:
		return value
	case value:
		return 1
	}
	return 0
}

// code returns the code of place p. In a System without Codes the variables are the places.
func (s *System) code(p uint32) Code {
	if s.Codes == nil {
		return Code{Variable: p}
	}
	return s.Codes[p]
}

// Places returns the number of places that the variables stand for. Without Codes these are the
// variables.
func (s *System) Places() int {
	if s.Codes == nil {
		return len(s.Names)
	}
	return len(s.Codes)
}

// Tokens returns the number of tokens of place p when the variables have these values.
func (s *System) Tokens(p uint32, values []uint32) uint32 {
	code := s.code(p)
	return code.tokens(values[code.Variable])
}

// errExcluded says that an encoding has left out states.
var errExcluded = errors.New("some group of places holds more than one token")

// netEncodings returns the systems worth trying for net, the most promising first. The net's plain
// system and semiflows are given. Groups may overlap, and then the first that is taken gets the
// place: some nets want the small ones first, some the large ones. An encoding for which there is no
// time or no room is left out; the plain system is always one.
func netEncodings(ctx context.Context, net *petri.Net, s *System, semiflows []petri.Semiflow) []*System {
	a := account.Of(ctx)
	flows := oneTokenPlaces(net, semiflows)
	slices.SortStableFunc(flows, func(a, b []uint32) int { return len(a) - len(b) })
	units := ownPlaces(net)
	small, err := s.grouped(a, slices.Concat(units, flows))
	if small == nil || err != nil {
		return []*System{s}
	}
	slices.Reverse(flows)
	large, err := s.grouped(a, slices.Concat(units, flows))
	if err != nil || slices.Equal(small.Codes, large.Codes) {
		return []*System{small}
	}
	return []*System{small, large}
}

// ownPlaces returns for each unit the places that are not in one of its subunits, if the units
// claim that the net is safe, or it is likely.
func ownPlaces(net *petri.Net) [][]uint32 {
	nupn := net.NUPN()
	if nupn == nil || !nupn.Safe && !nupn.Likely {
		return nil
	}
	groups := make([][]uint32, len(nupn.Units))
	for i, u := range nupn.Units {
		for _, p := range u.Places {
			groups[i] = append(groups[i], uint32(p))
		}
	}
	return groups
}

// oneTokenPlaces returns the places of each semiflow whose weights are 1 and which has at most one
// token.
func oneTokenPlaces(net *petri.Net, semiflows []petri.Semiflow) [][]uint32 {
	var groups [][]uint32
	for _, flow := range semiflows {
		tokens := int64(0)
		var places []uint32
		for _, term := range flow.Terms {
			if term.Weight != 1 {
				tokens = 2
				break
			}
			tokens += min(2, net.InitialTokens(term.Place))
			places = append(places, uint32(term.Place))
		}
		if tokens <= 1 {
			groups = append(groups, places)
		}
	}
	return groups
}

// A regrouping makes a system with a variable for each of some groups of places out
// of one with a variable for each place.
type regrouping struct {
	from, to *System
	codes    []Code
	taken    []bool
	limited  []bool // places with an upper guard or an assignment, which keep a variable of their own
	account  *account.Account
}

// An Exclusion says that a group would get a second token where Guards hold and, if Marked is true, the group
// has one. Those of an event share the guards: an event that takes from n groups and puts into n others would
// have n² of them otherwise.
type Exclusion struct {
	Guards Event
	Group  uint32 // its variable
	Marked bool
}

// event returns all the guards of x.
func (x Exclusion) event() Event {
	if !x.Marked {
		return x.Guards
	}
	return append(slices.Clip(x.Guards), Guard{Variable: x.Group, Low: 1, High: noLimit})
}

// grouped returns s, which has a variable for each place, with one variable for each of the groups.
// A place that is in two groups stays with the first. It returns nil if there is no group of two
// places then. An error is that of the account.
func (s *System) grouped(a *account.Account, groups [][]uint32) (*System, error) {
	r := &regrouping{
		from: s, to: new(System), codes: make([]Code, len(s.Names)), taken: make([]bool, len(s.Names)), limited: make([]bool, len(s.Names)),
		account: a,
	}
	for _, e := range s.Events {
		for _, g := range e {
			r.limited[g.Variable] = r.limited[g.Variable] || g.High != noLimit || assigns(g.Delta)
		}
	}
	for _, g := range groups {
		r.addGroup(g)
	}
	if len(r.to.Names) == 0 {
		return nil, nil
	}
	for p := range s.Names {
		if !r.taken[p] {
			r.codes[p] = Code{Variable: uint32(len(r.to.Names))}
			r.to.Names = append(r.to.Names, s.Names[p])
			r.to.Initial = append(r.to.Initial, s.Initial[p])
		}
	}
	r.to.Codes = r.codes
	if s.unproven != nil {
		r.to.unproven, r.to.grows, r.to.claimedSafe = make([]bool, len(r.to.Names)), s.grows, s.claimedSafe
		for p, c := range r.codes {
			r.to.unproven[c.Variable] = c.Mark == 0 && s.unproven[p]
		}
	}
	for _, e := range s.Events {
		if err := r.addEvent(e); err != nil {
			return nil, err
		}
	}
	for _, g := range s.Groups {
		var variables []uint32
		for _, p := range g {
			variables = append(variables, r.codes[p].Variable)
		}
		slices.Sort(variables)
		if variables = slices.Compact(variables); len(variables) > 1 {
			r.to.Groups = append(r.to.Groups, variables)
		}
	}
	return r.to, nil
}

// addGroup makes a variable of the places of group not yet taken, if there are two
// and at most one token among them.
func (r *regrouping) addGroup(group []uint32) {
	var places []uint32
	initial, tokens := uint32(0), uint64(0)
	for _, p := range group {
		if !r.taken[p] && !r.limited[p] {
			places = append(places, p)
			if n := r.from.Initial[p]; n > 0 {
				initial, tokens = uint32(len(places)), tokens+uint64(n)
			}
		}
	}
	if len(places) < 2 || tokens > 1 {
		return
	}
	for i, p := range places {
		r.taken[p] = true
		r.codes[p] = Code{Variable: uint32(len(r.to.Names)), Mark: uint32(i) + 1}
	}
	r.to.Names = append(r.to.Names, r.from.Names[places[0]]+"…")
	r.to.Initial = append(r.to.Initial, initial)
}

// addEvent adds e, with its guards in terms of groups. To Excluded it adds the guards under which e
// would put a second token into a group. What it looks at and makes is charged.
func (r *regrouping) addEvent(e Event) error {
	var said, enabled Event // enabled: the guards alone
	var touched []*groupEffect
	never := false
	for _, g := range e {
		if err := r.account.Charge(guardWork + 2*len(touched)); err != nil {
			return err
		}
		code := r.codes[g.Variable]
		if code.Mark == 0 {
			g.Variable = code.Variable
			said = append(said, g)
			enabled = append(enabled, Guard{Variable: g.Variable, Low: g.Low, High: g.High})
			continue
		}
		if g.Low == 0 && g.Delta == 0 {
			continue // it says nothing
		}
		i := slices.IndexFunc(touched, func(t *groupEffect) bool { return t.variable == code.Variable })
		if i < 0 {
			i = len(touched)
			touched = append(touched, &groupEffect{variable: code.Variable})
		}
		never = never || g.Low > 1
		touched[i].count(code.Mark, g)
	}
	overfull := -1 // the variable of a group
	for _, t := range touched {
		never = never || t.taken > 1
		if t.put > 1 {
			overfull = int(t.variable)
		}
		said = append(said, Guard{Variable: t.variable, Low: t.before, High: t.before, Delta: int64(t.after) - int64(t.before)})
		if t.taken == 1 {
			enabled = append(enabled, Guard{Variable: t.variable, Low: t.before, High: t.before})
		}
	}
	switch {
	case never: // it takes two tokens from a group that has one
		said = Event{impossible}
	case overfull >= 0: // it puts two tokens into a group
		said = Event{impossible}
		r.to.Excluded = append(r.to.Excluded, Exclusion{enabled, uint32(overfull), false})
	default:
		for _, t := range touched {
			if t.taken == 0 { // it puts one token into a group that may have one
				r.to.Excluded = append(r.to.Excluded, Exclusion{enabled, t.variable, true})
			}
		}
	}
	r.to.Events = append(r.to.Events, said)
	return nil
}

// guardWork is about what a guard of a regrouped event takes, in bytes, with what it excludes.
const guardWork = 2*int(unsafe.Sizeof(Guard{})) + int(unsafe.Sizeof(Exclusion{})+unsafe.Sizeof(groupEffect{}))

// impossible is a guard that no value fulfils.
var impossible = Guard{Low: 1, High: 0}

// A groupEffect is what an event does to a group. It says from how many of its places
// the event takes a token, and into how many it puts one. Where that is at most one, it
// has the group's values before and after.
type groupEffect struct {
	variable      uint32
	taken, put    int64
	before, after uint32
}

// count adds what the event does to the place with that mark.
func (t *groupEffect) count(mark uint32, g Guard) {
	if g.Low > 0 {
		t.taken++
		t.before = mark
	}
	if left := int64(g.Low) + g.Delta; left > 0 {
		t.put += min(left, 2)
		t.after = mark
	}
}

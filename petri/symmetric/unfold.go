package symmetric

import (
	"context"
	"errors"
	"unsafe"

	"pnmc/internal/account"
	"pnmc/petri"
)

// ErrTooLarge is wrapped by the error of Net.Unfold where the unfolded net exceeds
// the limits given.
var ErrTooLarge = errors.New("unfolded net is too large")

// Options direct Net.Unfold.
type Options struct {
	// KeepAll keeps every colour of every place and every binding that the
	// guard allows, whether or not a token can get there.
	KeepAll bool
	// Merge makes one place of colours that the net can't tell apart, and one
	// transition of bindings that do the same. The unfolded net is bisimilar to the
	// net, transition by transition, and a coloured place has equally many tokens in
	// both. But it has fewer markings and firings, and its places hold more tokens. The
	// first of the merged colours or bindings gives the name. KeepAll excludes it.
	Merge bool
	// DropConstant leaves out places whose tokens no transition that can fire changes.
	// Transitions that lack these tokens are dropped first. Formulas over the unfolded
	// net must not look at them.
	DropConstant bool
	// MaxNodes bounds the places and transitions of the unfolded net together,
	// and MaxArcs its arcs; 0 stands for DefaultMaxNodes and ten times the
	// nodes.
	MaxNodes, MaxArcs int
}

// DefaultMaxNodes bounds unfolded nets to what fits in about two gigabytes.
const DefaultMaxNodes = 2_000_000

// Unfolding is an unfolded net, with the meaning of its nodes.
type Unfolding struct {
	Net *petri.Net
	// Coloured is the net that was unfolded.
	Coloured *Net
	// Places gives, for each coloured place, the places that stand for its
	// colours, ascending by colour; Transitions, for each coloured transition,
	// those that stand for its bindings. A colour without a place is never
	// marked, or dropped since it never changes; a binding without a transition is
	// never enabled.
	Places      [][]petri.Place
	Transitions [][]petri.Transition
	// Sums are places beside these: each has as many tokens as all colours of a place
	// together, for the sake of inhibitor arcs that look at these.
	Sums []petri.Place
	// Options are those of Net.Unfold: what they drop or merge has no node of its own.
	Options Options
}

// Unfold makes the place/transition net that behaves as n does: a place for
// each colour of a place, a transition for each binding, in the order of the
// coloured nodes and then of colours.
//
// Without KeepAll only those colours and bindings are built that are reachable when tokens are
// never used up. That is more than are truly reachable, but far fewer than all: a million bindings
// instead of 10^12, say.
//
// They are found by semi-naive evaluation. A queue holds coloured tokens that are new, at first the
// initial ones. Each is taken in turn and joined along the input arcs with the tokens that were
// taken before. Each binding that comes out puts its own tokens into the queue, if they are new. So
// each binding is found once, when the last of its tokens is taken. For example, let t take x from
// p and give x + 1 to p, over a cycle of five colours, with 1 on p. Taking 1 finds x = 1 and queues
// 2, and so on, until 5 is taken: five bindings, or four if the guard forbids x = 5.
//
// An arc with a term All needs a token of each colour, which no join finds. A binding that lacks
// one waits for it, and is taken up again when that token comes.
//
// The time is linear in the bindings found, times the tuples that each join visits in vain.
//
// The error wraps ErrTooLarge if a limit is exceeded, that of ctx if it ends
// first, or tells of an arc or marking that is negative.
func (n *Net) Unfold(ctx context.Context, options Options) (*Unfolding, error) {
	u := newUnfolder(ctx, n, options)
	switch {
	case u.err != nil:
		return nil, u.err
	case options.KeepAll:
		u.everything()
	default:
		u.saturate()
	}
	if u.err != nil {
		return nil, u.err
	}
	return u.build()
}

// everything finds all bindings that guards allow, and all colours.
func (u *unfolder) everything() {
	if !u.marking() {
		return
	}
	for p := range u.net.Places {
		size := u.net.Places[p].Domain.Size()
		if size > int64(u.options.MaxNodes) || !u.grow(int(size), 0) {
			u.exceed("more than %d nodes", u.options.MaxNodes)
			return
		}
		if !u.reserve(u.facts[p].bytes(int(size))) {
			return
		}
		for tuple := range size {
			if u.look(1); u.err != nil {
				return
			}
			u.facts[p].raise(tuple, changing)
		}
	}
	for i, plan := range u.initials {
		if !u.runners[i].start(plan, 0) {
			return
		}
	}
}

// saturate finds the colours and bindings that can be reached when tokens are
// never used up.
func (u *unfolder) saturate() {
	if !u.marking() {
		return
	}
	for p, tokens := range u.initial {
		for _, t := range tokens {
			if !u.reach(fact{p, t.tuple}) {
				return
			}
		}
	}
	for i, plan := range u.initials {
		if plan != nil && !u.runners[i].start(plan, 0) {
			return
		}
	}
	colours := make([]int64, 64)
	for next := 0; next < len(u.queue) && u.err == nil; next++ {
		f := u.queue[next]
		domain := u.net.Places[f.place].Domain
		if len(colours) < len(domain) {
			colours = make([]int64, len(domain))
		}
		domain.Split(f.tuple, colours)
		if !u.reserve(len(u.indexes[f.place]) * entryBytes) {
			return
		}
		for _, x := range u.indexes[f.place] {
			x.add(f.tuple, colours)
		}
		for _, t := range u.triggers[f.place] {
			if !u.runners[t.transition].start(t.plan, f.tuple) {
				return
			}
		}
		resumed := u.waiting[f]
		delete(u.waiting, f)
		for _, s := range resumed {
			if !u.found(s.transition, s.binding) {
				return
			}
		}
	}
}

// entryBytes is about what a tuple takes in an index, with the entry of its colours.
const entryBytes = 64

// reach notes that a place may hold a token of a colour. It reports false if a limit is
// reached.
func (u *unfolder) reach(f fact) bool {
	facts := u.facts[f.place]
	if facts.count == 0 && !u.reserve(facts.bytes(1)) {
		return false
	}
	if !facts.raise(f.tuple, constant) {
		return true
	}
	// Room is asked for what is reached, and for the entry of a table.
	if len(u.queue) == cap(u.queue) && !u.reserve(len(u.queue)*int(unsafe.Sizeof(f))*9/4) {
		return false
	}
	u.queue = append(u.queue, f)
	return u.look(4) && u.grow(1, 0)
}

// found takes a binding of transition i that fits the guard and the arcs that were matched. If
// another arc lacks a token, the binding waits for that. It reports false if the unfolding has
// to stop.
func (u *unfolder) found(i int, binding []int64) bool {
	t := &u.net.Transitions[i]
	for _, k := range u.bulk[i] {
		arc := &t.Pre[k]
		for _, token := range u.arcTokens(i, arc, binding) {
			f := fact{arc.Place, token.tuple}
			if !u.facts[f.place].has(f.tuple) {
				waiting := u.waiting[f]
				if !u.reserve(len(binding)*8+int(unsafe.Sizeof(f))) || !u.room(account.Room(u.account, waiting, 1)) {
					return false
				}
				u.waiting[f] = append(waiting, suspended{i, append([]int64(nil), binding...)})
				return u.grow(0, 1) // so that what waits is bounded, too
			}
		}
	}
	if !u.room(account.Room(u.account, u.bindings[i], len(binding))) {
		return false
	}
	u.bindings[i] = append(u.bindings[i], binding...)
	u.count[i]++
	if !u.grow(1, 0) {
		return false
	}
	for k := range u.moves[i] {
		if !u.move(i, &u.moves[i][k], binding) {
			return false
		}
	}
	return true
}

// move counts the arcs that a binding of transition i has with one place, notes the
// tokens that come, and which colours change. It reports false if the unfolding has to
// stop.
func (u *unfolder) move(i int, m *move, binding []int64) bool {
	u.before = u.gather(u.before[:0], i, m.pre, binding)
	u.after = u.gather(u.after[:0], i, m.post, binding)
	if !u.grow(0, len(u.before)+len(u.after)) {
		return false
	}
	if u.options.KeepAll {
		return true
	}
	for _, t := range u.after {
		if !u.reach(fact{m.place, t.tuple}) {
			return false
		}
	}
	if m.idle || !u.options.DropConstant {
		return true
	}
	facts := u.facts[m.place]
	k := 0
	for _, t := range u.before {
		for ; k < len(u.after) && u.after[k].tuple < t.tuple; k++ {
			facts.raise(u.after[k].tuple, changing)
		}
		if k < len(u.after) && u.after[k].tuple == t.tuple {
			if u.after[k].count != t.count {
				facts.raise(t.tuple, changing)
			}
			k++
		} else {
			facts.raise(t.tuple, changing)
		}
	}
	for ; k < len(u.after); k++ {
		facts.raise(u.after[k].tuple, changing)
	}
	return true
}

// gather appends the tokens that some arcs have with one place together, ascending by tuple.
func (u *unfolder) gather(tokens []token, i int, arcs []*Arc, binding []int64) []token {
	for _, a := range arcs {
		tokens = append(tokens, u.arcTokens(i, a, binding)...)
	}
	if len(arcs) < 2 {
		return tokens
	}
	tokens, ok := sum(tokens)
	if !ok {
		u.exceed("%q moves more than 2^63-1 tokens", u.net.Transitions[i].ID)
	}
	return tokens
}

package symmetric

import (
	"math"
	"slices"

	"pnmc/petri"
)

// Inhibitor arcs look at the tokens of all colours of a place together. An unfolded net can say
// that in two ways:
//
//   - An arc that wants the place empty becomes one arc for each colour. So does an arc of a place
//     with a single colour, whatever its weight.
//   - Any other arc needs the sum over colours. There is one more place then, which always has as
//     many tokens as all colours together, and the arc looks at that. (verifypn has such a place
//     for each inhibited one.)
//
// For example, let t be inhibited by 3 tokens of p, whose colours are red and blue. A place p_sum
// gets an arc from each binding that puts a token on p and an arc to each that takes one, and t is
// inhibited by 3 tokens of p_sum.
//
// Colours that never change, and are dropped, take their tokens off the weight.

// mostAsked bounds the inhibitor arcs that one becomes; beyond, the sum is asked.
const mostAsked = 256

// inhibited is a place with inhibitor arcs while a net is built.
type inhibited struct {
	colours []petri.Place // that are built
	initial int64         // tokens on these
	dropped int64         // tokens on others, which never change
	gain    int64         // what the binding that is built adds to these
	touched bool          // that binding moves tokens
	hasSum  bool
	sum     petri.Place // if it has one
}

// inhibition is the inhibited places of a net that is built.
type inhibition struct {
	builder *petri.Builder
	places  []*inhibited // by coloured place; nil where no arc inhibits
	touched []int        // coloured places that are touched
	result  *Unfolding
}

// begin finds the inhibited places. initial has their tokens, those of colours that are
// built and others. It reports false if these are too many to be held.
func (h *inhibition) begin(b *petri.Builder, result *Unfolding, initial func(place int) (built, dropped int64, ok bool)) bool {
	h.builder, h.result = b, result
	for i := range result.Coloured.Transitions {
		for _, a := range result.Coloured.Transitions[i].Inhibitors {
			if h.places == nil {
				h.places = make([]*inhibited, len(result.Coloured.Places))
			}
			if h.places[a.Place] != nil {
				continue
			}
			built, dropped, ok := initial(a.Place)
			if !ok {
				return false
			}
			h.places[a.Place] = &inhibited{colours: result.Places[a.Place], initial: built, dropped: dropped}
		}
	}
	return true
}

// needsSum reports whether an arc asks for the sum over colours.
func (h *inhibition) needsSum(a Inhibitor) bool {
	in := h.places[a.Place]
	return len(in.colours) > 1 && a.Weight > in.dropped && (a.Weight-in.dropped > 1 || len(in.colours) > mostAsked)
}

// addSum makes the place for the sum over colours that an arc asks for, if there is none.
func (h *inhibition) addSum(names *namer, a Inhibitor) error {
	in, p := h.places[a.Place], &h.result.Coloured.Places[a.Place]
	if in.hasSum {
		return nil
	}
	var err error
	in.sum, err = h.builder.AddPlace(names.identifier(p.ID, []string{"sum"}), title(p.ID, p.Name, "all colours"), in.initial)
	in.hasSum = true
	h.result.Sums = append(h.result.Sums, in.sum)
	return err
}

// never reports whether tokens that never change inhibit a transition.
func (h *inhibition) never(t *Transition) bool {
	for _, a := range t.Inhibitors {
		if h.places[a.Place].dropped >= a.Weight {
			return true
		}
	}
	return false
}

// moved notes that the binding under construction adds tokens to a colour of a place, or with a
// negative number takes them off. It reports false if they are too many to be held.
func (h *inhibition) moved(place int, tokens int64) bool {
	if h.places == nil || h.places[place] == nil {
		return true
	}
	in := h.places[place]
	if tokens > 0 && in.gain > math.MaxInt64-tokens || tokens < 0 && in.gain < -math.MaxInt64-tokens {
		return false
	}
	in.gain += tokens
	if !in.touched {
		in.touched = true
		h.touched = append(h.touched, place)
	}
	return true
}

// arcs returns how many arcs finish adds for a transition.
func (h *inhibition) arcs(t *Transition) int {
	n := 0
	for _, a := range t.Inhibitors {
		if in := h.places[a.Place]; in.hasSum {
			n++
		} else {
			n += len(in.colours)
		}
	}
	return n
}

// finish adds the inhibitor arcs of a binding of t, and those that keep the sums.
func (h *inhibition) finish(t *Transition, number petri.Transition) error {
	for _, a := range t.Inhibitors {
		in := h.places[a.Place]
		asked := in.colours
		if in.hasSum {
			asked = []petri.Place{in.sum}
		}
		for _, p := range asked {
			if err := h.builder.AddInhibitor(p, number, a.Weight-in.dropped); err != nil {
				return err
			}
		}
	}
	slices.Sort(h.touched)
	touched := h.touched
	h.touched = h.touched[:0]
	for _, place := range touched {
		in := h.places[place]
		gain := in.gain
		in.gain, in.touched = 0, false
		var err error
		switch {
		case !in.hasSum:
		case gain > 0:
			err = h.builder.AddOutput(number, in.sum, gain)
		case gain < 0:
			err = h.builder.AddInput(in.sum, number, -gain)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// inhibit finds out which sums over colours are asked for, and makes places for these.
func (u *unfolder) inhibit(b *petri.Builder, names *namer, result *Unfolding) error {
	if !u.inhibition.begin(b, result, u.initialOf) {
		u.exceed("a place has more than 2^63-1 tokens")
		return u.err
	}
	for i := range u.net.Transitions {
		for _, a := range u.net.Transitions[i].Inhibitors {
			if !u.look(1) {
				return u.err
			}
			if !u.inhibition.needsSum(a) {
				continue
			}
			if !u.grow(1, 0) {
				return u.err
			}
			if err := u.inhibition.addSum(names, a); err != nil {
				return err
			}
		}
	}
	return nil
}

// initialOf returns how many tokens a place has at first, of colours that are built and of others;
// false if these are too many to be held.
func (u *unfolder) initialOf(place int) (built, dropped int64, ok bool) {
	for _, t := range u.initial[place] {
		to := &built
		if u.dropped(place, t.tuple) {
			to = &dropped
		}
		if *to > math.MaxInt64-t.count || !u.look(1) {
			return 0, 0, false
		}
		*to += t.count
	}
	return built, dropped, true
}

package symmetric

import (
	"cmp"
	"iter"
	"math"
	"math/bits"
	"slices"
)

// token is a number of tokens of one colour. A multiset is a slice of them, ascending by tuple.
type token struct {
	tuple, count int64
}

// eval appends the tokens that e stands for under a binding: ascending by tuple, each tuple once,
// none with count 0. For 2'(x, all) - 1'(x, y) with x = 1, y = 2 and two colours these are 2 of (1,
// 1) and 1 of (1, 2). It reports false if a count exceeds 2^63-1, or if there are more than limit
// tuples before merging.
func (e Expression) eval(domain Domain, binding []int64, tokens []token, limit int) ([]token, bool) {
	for _, m := range e {
		var ok bool
		if tokens, ok = m.eval(domain, binding, tokens, limit); !ok {
			return nil, false
		}
	}
	return sum(tokens)
}

// Tokens returns the tokens that e stands for under a binding, as pairs of a tuple's number and a count:
// ascending by tuple, each tuple once, none with count 0. Counts of what is subtracted are negative. It reports
// false if a count exceeds 2^63-1, or if there are more than limit tuples before those that are equal are merged.
func (e Expression) Tokens(domain Domain, binding []int64, limit int) (counts iter.Seq2[int64, int64], ok bool) {
	tokens, ok := e.eval(domain, binding, nil, limit)
	return func(yield func(tuple, count int64) bool) {
		for _, t := range tokens {
			if !yield(t.tuple, t.count) {
				return
			}
		}
	}, ok
}

// MostTokens returns how many tokens Tokens makes before merging, whatever the binding, or limit where that is
// less.
func (e Expression) MostTokens(domain Domain, limit int) int {
	all := 0
	for _, m := range e {
		n := int64(1)
		for i, t := range m.Terms {
			if t.Kind == All {
				if size := domain[i].Size; size > 0 && n > int64(limit)/size {
					return limit
				}
				n *= domain[i].Size
			}
		}
		if all += int(n); all > limit {
			return limit
		}
	}
	return all
}

// sum sorts tokens and merges those of one tuple, in place.
func sum(tokens []token) ([]token, bool) {
	if len(tokens) < 2 {
		return tokens, true
	}
	byTuple := func(a, b token) int { return cmp.Compare(a.tuple, b.tuple) }
	if !slices.IsSortedFunc(tokens, byTuple) { // those of a single monomial are
		slices.SortFunc(tokens, byTuple)
	}
	merged := tokens[:0]
	for i := 0; i < len(tokens); {
		sum := tokens[i]
		for i++; i < len(tokens) && tokens[i].tuple == sum.tuple; i++ {
			count := tokens[i].count
			if count > 0 && sum.count > math.MaxInt64-count || count < 0 && sum.count < math.MinInt64-count {
				return nil, false
			}
			sum.count += count
		}
		if sum.count != 0 {
			merged = append(merged, sum)
		}
	}
	return merged, true
}

// eval appends one token for each combination of the colours of terms All, ascending by
// tuple.
func (m Monomial) eval(domain Domain, binding []int64, tokens []token, limit int) ([]token, bool) {
	start := len(tokens)
	tokens = append(tokens, token{0, m.Coefficient})
	for i, t := range m.Terms {
		size := domain[i].Size
		if t.Kind != All {
			colour := t.Colour(domain[i], binding)
			for k := start; k < len(tokens); k++ {
				tokens[k].tuple = tokens[k].tuple*size + colour
			}
			continue
		}
		count := len(tokens) - start
		if int64(count) > int64(limit)/size {
			return nil, false
		}
		tokens = slices.Grow(tokens, count*int(size-1))[:start+count*int(size)]
		for k := count - 1; k >= 0; k-- { // from the end, so that nothing is overwritten before it is read
			first := tokens[start+k].tuple * size
			for colour := range size {
				tokens[start+k*int(size)+int(colour)] = token{first + colour, m.Coefficient}
			}
		}
	}
	return tokens, len(tokens) <= limit
}

// Cardinality returns the number of tokens in the multiset, whatever the binding;
// false if it, or a part of the sum, is not in the range from 0 to 2^63-1.
func (e Expression) Cardinality(domain Domain) (int64, bool) {
	var plus, minus uint64
	for _, m := range e {
		sum, size := &plus, uint64(m.Coefficient)
		if m.Coefficient < 0 {
			sum, size = &minus, -size
		}
		for i, t := range m.Terms {
			if t.Kind == All {
				var over uint64
				if over, size = bits.Mul64(size, uint64(domain[i].Size)); over != 0 {
					return 0, false
				}
			}
		}
		if *sum += size; *sum < size || size > math.MaxInt64 {
			return 0, false
		}
	}
	return int64(plus - minus), plus >= minus && plus-minus <= math.MaxInt64
}

// Subtracts reports whether something is subtracted in e.
func (e Expression) Subtracts() bool {
	for _, m := range e {
		if m.Coefficient < 0 {
			return true
		}
	}
	return false
}

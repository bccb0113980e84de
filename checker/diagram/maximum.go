package diagram

import (
	"context"
	"errors"
	"math"
	"math/big"

	"pnmc/internal/arithmetic"
	"pnmc/logic"
)

// ErrLargeNumbers says that the largest value was not found, as 63 bits do not suffice.
var ErrLargeNumbers = errors.New("a number exceeds 63 bits")

// Maximum returns the largest value of a number in a reachable marking. The diagram of all markings
// has that of a sum: one pass over its nodes suffices. For products it asks whether a value above v
// is reachable, with v at steps that double, and then by halves: about twice for each bit of the
// answer. For example, let the largest value be 11, and the initial one 1. It asks for more than 1,
// 2, 4, 8 and 16, and then for more than 12, 10 and 11.
func (s *Space) Maximum(ctx context.Context, number logic.Polynomial) (*big.Int, error) {
	if len(number.Products) == 0 {
		return s.largestSum(ctx, number.Sum)
	}
	exceeds := func(v int64) (bool, error) {
		p, ok := AtLeast(number, v+1)
		if !ok {
			return false, ErrLargeNumbers
		}
		return s.Reachable(ctx, p)
	}
	low, ok := number.Value(s.Net.Initial()) // the largest value is this at least
	if !ok {
		return nil, ErrLargeNumbers
	}
	high := low // and this at most, after the first loop
	for step := int64(1); ; step *= 2 {
		larger, err := exceeds(high)
		if err != nil {
			return nil, err
		}
		if !larger {
			break
		}
		low = high + 1
		if high, ok = arithmetic.Add(high, step); !ok || high > math.MaxInt64/4 {
			return nil, ErrLargeNumbers
		}
	}
	for low < high {
		middle := low + (high-low)/2
		larger, err := exceeds(middle)
		switch {
		case err != nil:
			return nil, err
		case larger:
			low = middle + 1
		default:
			high = middle
		}
	}
	return big.NewInt(low), nil
}

// AtLeast returns the predicate that a number is v or more. ok is false if 64 bits do not suffice.
func AtLeast(number logic.Polynomial, v int64) (p *logic.Predicate, ok bool) {
	opposite, ok := logic.Polynomial{Sum: logic.Sum{Constant: -1}}.Times(number)
	if !ok {
		return nil, false
	}
	if opposite.Sum.Constant, ok = arithmetic.Add(opposite.Sum.Constant, v); !ok {
		return nil, false
	}
	return opposite.Compare(logic.AtMost)
}

// largestSum returns the largest value of a sum.
func (s *Space) largestSum(ctx context.Context, sum logic.Sum) (*big.Int, error) {
	defer s.Forest.Within(ctx)()
	weights := make([]int64, s.Net.Places())
	for _, t := range sum.Terms {
		weights[t.Place] += t.Coefficient
	}
	v, err := s.space.LargestSum(weights)
	if err != nil {
		return nil, err
	}
	return v.Add(v, big.NewInt(sum.Constant)), nil
}

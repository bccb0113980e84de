package logic

import (
	"fmt"
	"math"
	"math/big"
	"reflect"
	"testing"

	"pgregory.net/rapid"

	"pnmc/logic/internal/logictest"
)

// TestStrictAtTheEnds: comparisons with the largest numbers are read, also where one more does not fit.
func TestStrictAtTheEnds(t *testing.T) {
	const most = "9223372036854775807"
	for text, holds := range map[string][3]bool{ // with 0, 2^63-2 and 2^63-1 tokens in p
		"p > " + most:                     {false, false, false},
		"p >= " + most:                    {false, false, true},
		"p < " + most:                     {true, true, false},
		"p <= " + most:                    {true, true, true},
		"p == " + most:                    {false, false, true},
		"p != " + most:                    {true, true, false},
		most + " < p":                     {false, false, false},
		"!(p > " + most + ")":             {true, true, true},
		"p < -" + most:                    {false, false, false},
		"p > -" + most:                    {true, true, true},
		"-p < -" + most:                   {false, false, false},
		"-p <= -" + most:                  {false, false, true},
		"p * p > " + most:                 {false, true, true},
		"p * p * -1 < -" + most:           {false, true, true},
		"2 * p > " + most:                 {false, true, true},
		"p - q > " + most:                 {false, false, false},
		"p + 1 > " + most:                 {false, false, true},
		most + " < p & p >= 0":            {false, false, false},
		"p > " + most + " | p == " + most: {false, false, true},
	} {
		p, err := ParsePredicate(text, logictest.Small)
		if err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		for i, tokens := range []int64{0, math.MaxInt64 - 1, math.MaxInt64} {
			marking := []int64{tokens, 0, 0}
			if p.Holds(marking, 0, nil) != holds[i] || p.Simplify().Holds(marking, 0, nil) != holds[i] {
				t.Errorf("%s with %d tokens: read as %s, simplified to %s, want %t", text, tokens, p.Text(logictest.Small), p.Simplify().Text(logictest.Small), holds[i])
			}
		}
	}
	for _, text := range []string{"p > 9223372036854775808", "p + 1 > -" + most, "p - " + most + " > " + most} {
		if _, err := ParsePredicate(text, logictest.Small); err == nil {
			t.Errorf("%s: read, but needs more than 64 bits", text)
		}
	}
}

// TestComparisonsWithLargeNumbers: each comparison of two sums or products whose difference fits is read. It means what it means
// in integers of any size, as do its negation and what these are simplified to and print as.
func TestComparisonsWithLargeNumbers(t *testing.T) {
	large := rapid.OneOf(rapid.Int64Range(-3, 3), rapid.Int64Range(math.MaxInt64-2, math.MaxInt64), rapid.Int64Range(-math.MaxInt64, -math.MaxInt64+2))
	tokens := rapid.OneOf(rapid.Int64Range(0, 3), rapid.Int64Range(math.MaxInt64-2, math.MaxInt64))
	read := 0
	rapid.Check(t, func(t *rapid.T) {
		marking := rapid.SliceOfN(tokens, 3, 3).Draw(t, "marking")
		var texts [2]string
		var values [2]*big.Int
		constants := big.NewInt(0)
		for side := range values {
			c := large.Draw(t, "constant")
			place, coefficient := rapid.IntRange(0, 1).Draw(t, "place")+side%2, rapid.Int64Range(-2, 2).Draw(t, "coefficient")
			texts[side] = fmt.Sprintf("%d + %d * %s", c, coefficient, logictest.Small.PlaceIDs[place])
			value := new(big.Int).Mul(big.NewInt(coefficient), big.NewInt(marking[place]))
			if rapid.Bool().Draw(t, "product") {
				texts[side] += fmt.Sprintf(" * %s", logictest.Small.PlaceIDs[2])
				value.Mul(value, big.NewInt(marking[2]))
			}
			values[side] = value.Add(value, big.NewInt(c))
			constants.Add(constants, big.NewInt(c*int64(1-2*side)))
		}
		operator := rapid.SampledFrom([]string{"<", "<=", ">", ">=", "==", "!="}).Draw(t, "operator")
		sign := values[0].Cmp(values[1])
		want := map[string]bool{"<": sign < 0, "<=": sign <= 0, ">": sign > 0, ">=": sign >= 0, "==": sign == 0, "!=": sign != 0}[operator]
		text := texts[0] + " " + operator + " " + texts[1]
		p, err := ParsePredicate(text, logictest.Small)
		if fits := new(big.Int).Abs(constants).Cmp(big.NewInt(math.MaxInt64)) <= 0; (err == nil) != fits {
			t.Fatalf("%s: %v", text, err)
		} else if !fits {
			return
		}
		read++
		for form, q := range map[string]*Predicate{"read": p, "simplified": p.Simplify()} {
			if q.Holds(marking, 0, nil) != want || negate(q).Simplify().Holds(marking, 0, nil) == want {
				t.Fatalf("%s, %s: %s in %v", text, form, q.Text(logictest.Small), marking)
			}
			again, err := ParsePredicate(q.Text(logictest.Small), logictest.Small)
			if err != nil || !reflect.DeepEqual(q, again) {
				t.Fatalf("%s, %s: prints as %s: %v", text, form, q.Text(logictest.Small), err)
			}
		}
	})
	if read == 0 {
		t.Error("nothing is read")
	}
}

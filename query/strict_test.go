package query

import (
	"fmt"
	"math"
	"math/big"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"pnmc/logic/ctl"
)

// TestComparisonsWithLargeConstants: comparisons of XML with numbers at the ends of 64 bits are read and mean what they mean in
// integers of any size, if the difference of their sides fits.
func TestComparisonsWithLargeConstants(t *testing.T) {
	number := rapid.OneOf(rapid.Int64Range(-3, 3), rapid.Int64Range(math.MaxInt64-2, math.MaxInt64), rapid.Int64Range(-math.MaxInt64, -math.MaxInt64+2))
	read := 0
	rapid.Check(t, func(t *rapid.T) {
		marking := rapid.SliceOfN(rapid.OneOf(rapid.Int64Range(0, 3), rapid.Int64Range(math.MaxInt64-2, math.MaxInt64)), 2, 2).Draw(t, "marking")
		a, b := number.Draw(t, "a"), number.Draw(t, "b")
		left, right := fmt.Sprintf("<integer-constant>%d</integer-constant>", a), fmt.Sprintf("<integer-constant>%d</integer-constant>", b)
		p, q := "<tokens-count><place>p</place></tokens-count>", "<tokens-count><place>q</place></tokens-count>"
		l, r := big.NewInt(marking[0]), big.NewInt(marking[1])
		if rapid.Bool().Draw(t, "product") {
			p = "<integer-product>" + p + q + "</integer-product>"
			l.Mul(l, r)
		}
		left, right = "<integer-sum>"+left+p+"</integer-sum>", "<integer-sum>"+q+right+"</integer-sum>"
		sign := l.Add(l, big.NewInt(a)).Cmp(r.Add(r, big.NewInt(b)))
		kind := rapid.SampledFrom([]string{"le", "lt", "ge", "gt", "eq", "ne"}).Draw(t, "kind")
		want := map[string]bool{"lt": sign < 0, "le": sign <= 0, "gt": sign > 0, "ge": sign >= 0, "eq": sign == 0, "ne": sign != 0}[kind]
		list, err := Read("f.xml", []byte(properties("<exists-path><finally><integer-"+kind+">"+left+right+"</integer-"+kind+"></finally></exists-path>")))
		if err != nil {
			t.Fatal(err)
		}
		f, err := list[0].CTL(vocabulary{"p", "q"})
		difference := new(big.Int).Sub(big.NewInt(a), big.NewInt(b))
		if difference.Abs(difference).Cmp(big.NewInt(math.MaxInt64)) > 0 {
			if err == nil || !strings.HasSuffix(err.Error(), errLarge.Error()) {
				t.Fatalf("%d and %d: %v", a, b, err)
			}
			return
		}
		if err != nil {
			t.Fatalf("%d %s %d: %v", a, kind, b, err)
		}
		if f.Operator == ctl.ExistsFinally { // it is not, of what is always true or never
			f = f.Operands[0]
		}
		read++
		for _, g := range []bool{false, true} {
			predicate := f.Predicate
			if g {
				predicate = predicate.Simplify()
			}
			if predicate.Holds(marking, 0, nil) != want {
				t.Fatalf("%d + p %s %d + q in %v: %s", a, kind, b, marking, predicate.Text(vocabulary{"p", "q"}))
			}
		}
	})
	if read == 0 {
		t.Error("nothing is read")
	}
}

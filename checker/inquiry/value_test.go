package inquiry

import (
	"math/big"
	"testing"
)

func TestValue(t *testing.T) {
	large := new(big.Int).Lsh(big.NewInt(1), 80)
	for text, v := range map[string]Value{
		"unknown": {}, "true": Truth(true), "false": Truth(false), "infinite": Infinite,
		"-7": Number(-7), "12": LargeNumber(big.NewInt(12)), large.String(): LargeNumber(large),
	} {
		if v.String() != text {
			t.Errorf("%v, should be %s", v, text)
		}
		n, ok := v.Number()
		if is := text[0] == '-' || text[0] <= '9'; ok != is || ok && n.String() != text {
			t.Errorf("%s as a number: %v, %t", text, n, ok)
		}
		if v.IsKnown() == (text == "unknown") || v.IsTrue() != (text == "true") || v.IsFalse() != (text == "false") ||
			v.IsInfinite() != (text == "infinite") {
			t.Errorf("%s is not told as what it is", text)
		}
	}
	if !Number(12).Equal(LargeNumber(big.NewInt(12))) || !LargeNumber(large).Equal(LargeNumber(new(big.Int).Set(large))) {
		t.Error("equal numbers are not equal")
	}
	if Number(1).Equal(Truth(true)) || Number(0).Equal(LargeNumber(large)) || Truth(true).Equal(Truth(false)) {
		t.Error("different values are equal")
	}
}

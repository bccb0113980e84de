package inquiry

import "math/big"

// Value is the answer to a question: a truth value, a number, infinite, or unknown,
// which the zero Value is. Values are equal if Equal says so.
type Value struct {
	kind   valueKind
	number int64
	large  *big.Int // a number beyond 63 bits
}

type valueKind uint8

const (
	valueUnknown valueKind = iota
	valueFalse
	valueTrue
	valueNumber
	valueInfinite
)

// Infinite is the value of what has no bound.
var Infinite = Value{kind: valueInfinite}

// Truth returns a truth value.
func Truth(holds bool) Value {
	if holds {
		return Value{kind: valueTrue}
	}
	return Value{kind: valueFalse}
}

// Number returns a number of 64 bits.
func Number(n int64) Value { return Value{kind: valueNumber, number: n} }

// LargeNumber returns a number of any size.
func LargeNumber(n *big.Int) Value {
	if n.IsInt64() {
		return Number(n.Int64())
	}
	return Value{kind: valueNumber, large: new(big.Int).Set(n)}
}

// IsKnown reports whether v is more than unknown.
func (v Value) IsKnown() bool { return v.kind != valueUnknown }

// IsTrue reports whether v is true.
func (v Value) IsTrue() bool { return v.kind == valueTrue }

// IsFalse reports whether v is false.
func (v Value) IsFalse() bool { return v.kind == valueFalse }

// IsInfinite reports whether v is infinite.
func (v Value) IsInfinite() bool { return v.kind == valueInfinite }

// Number returns the number that v is; ok is false if it is none.
func (v Value) Number() (n *big.Int, ok bool) {
	switch {
	case v.kind != valueNumber:
		return nil, false
	case v.large != nil:
		return new(big.Int).Set(v.large), true
	}
	return big.NewInt(v.number), true
}

// Equal reports whether v and w are the same.
func (v Value) Equal(w Value) bool {
	if v.large != nil && w.large != nil {
		return v.large.Cmp(w.large) == 0
	}
	return v == w
}

// String returns "unknown", "false", "true", "infinite" or the digits of a number.
func (v Value) String() string {
	if n, ok := v.Number(); ok {
		return n.String()
	}
	return [...]string{valueUnknown: "unknown", valueFalse: "false", valueTrue: "true", valueInfinite: "infinite"}[v.kind]
}

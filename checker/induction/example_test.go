package induction

import (
	"context"
	"fmt"
	"strings"

	"pnmc/checker/stateequation"
	"pnmc/exchange"
	"pnmc/logic"
)

// No firing leads to a marking with a y or a c from one without both, and so none has a y. That none has a
// y does not suffice: with a c, one firing makes a y.
func ExampleSearch_Certify() {
	net, err := exchange.ReadTina(strings.NewReader("tr t x c?1 -> y\ntr u y?1 -> c\npl x (1)\n"), "locked.net", nil)
	if err != nil {
		panic(err)
	}
	some := func(id string) Cube {
		p, _ := net.PlaceByID(id)
		return Cube{{Constant: 1, Terms: []logic.Term{{Place: uint32(p), Coefficient: -1}}}}
	}
	s, err := New(context.Background(), net, Known{Equation: stateequation.New(context.Background(), net)}, some("y").Predicate(), nil, 0)
	if err != nil {
		panic(err)
	}
	fmt.Println(s.Certify(context.Background(), []Cube{some("y"), some("c")}))
	fmt.Println(s.Certify(context.Background(), []Cube{some("y")}))
	// Output:
	// <nil>
	// the invariant is not certified: a firing of transition 0 may lead into cube 0
}

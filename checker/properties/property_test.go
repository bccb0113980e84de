package properties_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"pnmc/automata"
	"pnmc/checker/inquiry"
	"pnmc/checker/properties"
	"pnmc/logic"
	"pnmc/petri"
)

// TestBindManyNames: of many wrong names some are told, and a limit is asked while names are
// read.
func TestBindManyNames(t *testing.T) {
	names := make([]string, 10_000)
	for i := range names {
		names[i] = fmt.Sprint("nowhere", i)
	}
	b := automata.NewBuilder(names, automata.GeneralizedBuchi(0))
	b.AddStates(1)
	b.AddInitial(0)
	a, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	net, err := (&petri.Builder{}).Build()
	if err != nil {
		t.Fatal(err)
	}
	v := inquiry.Vocabulary(net)
	_, err = properties.Bind(a, v, nil)
	var first *properties.PropositionError
	if !errors.As(err, &first) || first.Number != 0 {
		t.Fatalf("error %v", err)
	}
	lines := strings.Split(err.Error(), "\n")
	if last := lines[len(lines)-1]; len(lines) != 21 || last != "the other propositions were not looked at, 9980 of 10000" {
		t.Errorf("%d lines, the last of which is %q", len(lines), last)
	}
	over := errors.New("time is over")
	var limited *logic.LimitError
	if _, err := properties.BindWithin(a, v, nil, func(int) error { return over }); !errors.Is(err, over) || !errors.As(err, &limited) {
		t.Errorf("error %v, expected that of the limit", err)
	}
}

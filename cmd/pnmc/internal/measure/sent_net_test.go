package measure

import (
	"bytes"
	"encoding/gob"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"pnmc/internal/petritest"
	"pnmc/petri"
	"pnmc/pnml"
)

// TestSentNet: a net is the same after it was sent.
func TestSentNet(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		net := rapid.OneOf(petritest.AnyNet(), petritest.StateMachines(false)).Draw(t, "net")
		var message bytes.Buffer
		if err := gob.NewEncoder(&message).Encode(newSentNet(net)); err != nil {
			t.Fatal(err)
		}
		var sent sentNet
		if err := gob.NewDecoder(&message).Decode(&sent); err != nil {
			t.Fatal(err)
		}
		arrived, err := sent.build()
		if err != nil {
			t.Fatal(err)
		}
		if got, want := text(t, arrived), text(t, net); got != want {
			t.Fatalf("expected\n%s\nfound\n%s", want, got)
		}
	})
}

func text(t *rapid.T, net *petri.Net) string {
	var b strings.Builder
	if err := pnml.Write(&b, net); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

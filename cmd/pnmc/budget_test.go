package main

import (
	"errors"
	"io"
	"strings"
	"testing"

	"pnmc/petri"
	"pnmc/pnml"
	"pnmc/symbolic/etf"
)

// TestBudgetReader: a net whose text goes on when memory is spent ends with that, and
// not as bad input; one that leaves memory is read to its end.
func TestBudgetReader(t *testing.T) {
	text := strings.Repeat("<!-- much -->\n", readLook/10)
	roomy := petri.Budget{MemoryBytes: 1 << 50}
	if n, err := io.Copy(io.Discard, &budgetReader{ctx: t.Context(), r: strings.NewReader(text), budget: roomy}); err != nil || n != int64(len(text)) {
		t.Errorf("%d bytes of %d, %v", n, len(text), err)
	}
	spent := petri.Budget{MemoryBytes: 1 << 20}
	full := func(text string) io.Reader {
		return &budgetReader{ctx: t.Context(), r: strings.NewReader(text), budget: spent}
	}
	_, errPNML := pnml.ReadDocument(full(text), "x", pnml.Options{})
	_, errETF := etf.Read(full(strings.Repeat("\n", len(text))), "x")
	for _, err := range []error{errPNML, errETF} {
		var memory *petri.MemoryError
		if !errors.As(err, &memory) {
			t.Errorf("expected the end of memory, found: %v", err)
		}
	}
}

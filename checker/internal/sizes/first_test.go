package sizes

import (
	"testing"

	"pnmc/checker/inquiry"
	"pnmc/internal/petritest"
)

// TestFirstBoundsLargeNets: machines of a large net answer for tokens at once, and other nets are left alone.
func TestFirstBoundsLargeNets(t *testing.T) {
	r, record := tokenTask(t, petritest.Machines(2200))
	First(t.Context(), r)
	if perMarking, inPlace := record.Value(int(inquiry.TokensPerMarking)), record.Value(int(inquiry.TokensInPlace)); perMarking != inquiry.Number(40) || inPlace != inquiry.Number(1) {
		t.Errorf("%v tokens in a marking, %v in a place, expected 40 and 1", perMarking, inPlace)
	}
	small, record := tokenTask(t, petritest.Machines(20))
	if First(t.Context(), small); record.Value(int(inquiry.TokensInPlace)).IsKnown() {
		t.Error("a small net was looked at")
	}
}

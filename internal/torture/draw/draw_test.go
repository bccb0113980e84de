package draw_test

import (
	"bytes"
	"strings"
	"testing"

	"pnmc/internal/torture/draw"
)

// TestDrawnAgain: a seed and a number determine what is drawn, of each kind.
func TestDrawnAgain(t *testing.T) {
	atoms := draw.Letters(2)
	kinds := map[string]func(s draw.Source) []byte{}
	for _, kind := range draw.NetKinds() {
		kinds[kind] = func(s draw.Source) []byte { return draw.NewNet(s, kind).Text }
	}
	for _, kind := range draw.AutomatonKinds() {
		kinds[kind] = func(s draw.Source) []byte { return draw.NewAutomata(s, kind, atoms).Text }
	}
	for _, kind := range draw.FormulaKinds() {
		kinds[kind] = func(s draw.Source) []byte { return []byte(draw.NewFormula(s, kind, atoms).Text) }
	}
	for _, kind := range draw.DrawingKinds() {
		kinds[kind] = func(s draw.Source) []byte { return draw.NewDrawing(s, kind, atoms) }
	}
	for _, kind := range draw.TableKinds() {
		kinds[kind] = func(s draw.Source) []byte { return draw.NewTable(s, kind).Text }
	}
	for _, kind := range draw.PropertyKinds() {
		kinds[kind] = func(s draw.Source) []byte {
			return draw.NewProperties(s, kind, draw.Pick(s, "UpperBounds", "CTLFireability", "LTLCardinality", "ReachabilityCardinality"), draw.NewNet(s, "net-small")).Text
		}
	}
	for kind, of := range kinds {
		different := false
		numbers := uint64(8)
		if strings.HasSuffix(kind, "-long") {
			numbers = 1 // megabytes
		}
		for number := range numbers {
			text := of(draw.New(1, number))
			if !bytes.Equal(text, of(draw.New(1, number))) {
				t.Errorf("%s: number %d is drawn in two ways", kind, number)
			}
			different = different || !bytes.Equal(text, of(draw.New(1, number+1)))
		}
		if !different {
			t.Errorf("%s: all that is drawn is the same", kind)
		}
	}
}

// TestTwinsOfSmallNets: small nets have a twin, and most have few markings.
func TestTwinsOfSmallNets(t *testing.T) {
	for _, kind := range []string{"net-small", "net-claims", "net-coloured", "net-unbounded"} {
		whole := 0
		for number := range uint64(100) {
			n := draw.NewNet(draw.New(2, number), kind)
			if n.Twin == nil {
				t.Fatalf("%s %d has no twin:\n%s", kind, number, n.Text)
			}
			if n.Twin.Explore(1000).Whole {
				whole++
			}
		}
		if kind != "net-unbounded" && whole < 50 {
			t.Errorf("%s: %d of 100 have up to 1000 markings", kind, whole)
		}
	}
}

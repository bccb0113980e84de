package picture

import (
	"bytes"
	"context"
	"errors"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/rivo/uniseg"
	"pgregory.net/rapid"

	"pnmc/internal/account"
)

// naiveShown looks at the whole line, and cuts it then.
func naiveShown(line string) string {
	line = visible(line)
	if uniseg.StringWidth(line) <= longestLine {
		return line
	}
	var b strings.Builder
	width, state := 0, -1
	for line != "" {
		var cluster string
		var w int
		cluster, line, w, state = uniseg.FirstGraphemeClusterInString(line, state)
		if width += w; width > longestLine-1 || len(cluster) > longestCharacter {
			break
		}
		b.WriteString(cluster)
	}
	return b.String() + "…"
}

// TestShown compares lines as they are shown with those of the naive twin.
func TestShown(t *testing.T) {
	part := rapid.SampledFrom([]string{"a", "é", "e\u0301", "漢", "\u202e", "\n", "\xff", "👩‍👩‍👧", "b" + strings.Repeat("\u0301", 40), "&"})
	rapid.Check(t, func(t *rapid.T) {
		line := strings.Join(rapid.SliceOfN(part, 0, 60).Draw(t, "parts"), "")
		if got, want := shown(line), naiveShown(line); got != want {
			t.Fatalf("%q is shown as %q, should be %q", line, got, want)
		}
	})
	for _, long := range []string{"x", "é", "漢", "\xff", "\u200b"} {
		line := strings.Repeat(long, 1<<16)
		if got := shown(line); !strings.HasSuffix(got, "…") || len(got) > 3*longestText {
			t.Errorf("%q, repeated, is shown as %d bytes", long, len(got))
		}
	}
}

// TestLongLinesAreCutFirst: of a line only the beginning is looked at.
func TestLongLinesAreCutFirst(t *testing.T) {
	line := strings.Repeat("\t", 8<<20)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	text := shown(line)
	runtime.ReadMemStats(&after)
	if made := after.TotalAlloc - before.TotalAlloc; made > 1<<20 || text != strings.Repeat(" ", longestLine-1)+"…" {
		t.Errorf("%d bytes are made for %q", made, text)
	}
}

// TestTextsEndWithTheContext: measuring the texts of a graph, and writing them, look at the
// context.
func TestTextsEndWithTheContext(t *testing.T) {
	g := &Graph{Nodes: []Node{{ID: "a"}, {ID: "b"}}, Positions: []Point{{0, 0}, {100, 0}}}
	lines := []string{strings.Repeat("x", 1<<14)}
	for range 2000 {
		g.Edges = append(g.Edges, Edge{From: 0, To: 1, Lines: lines})
	}
	var out bytes.Buffer
	// One look for the room of the graph, one as the measuring begins.
	if err := g.Write(account.EndsAfter(2), &out); !errors.Is(err, context.DeadlineExceeded) || out.Len() > 0 {
		t.Errorf("while texts are measured: %v, %d bytes", err, out.Len())
	}
	measured, err := newLayout(t.Context(), g)
	if err != nil {
		t.Fatal(err)
	}
	measured.placeGiven()
	measured.account = account.Of(account.EndsAfter(4))
	if err := measured.write(&out, measured.straight()); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("while texts are written: %v, %d bytes", err, out.Len())
	}
}

// TestStraightArrowsWalkNoLayers: where arrows are straight, an arc puts a vertex into the layer of its
// text, and costs no more than that however many layers it passes.
func TestStraightArrowsWalkNoLayers(t *testing.T) {
	const layers = 1 << 30 // longer than any limit lasts
	for _, label := range []bool{false, true} {
		l := &layout{account: account.Of(account.EndsAfter(2)), labels: [][]string{{"text"}}}
		d := &drawing{layout: l, rank: []int{0, layers}, extent: make([]extent, 2), arcs: []arc{{from: 0, to: 1, label: label}}, passes: make([][]int, 1)}
		if err := d.pass(0, true); err != nil {
			t.Fatalf("text %v: %v", label, err)
		}
		want := []int(nil)
		if label {
			want = []int{2}
		}
		if !slices.Equal(d.passes[0], want) || len(d.rank) != 2+len(want) || len(d.extent) != len(d.rank) {
			t.Errorf("text %v: vertices %v", label, d.passes[0])
		}
		if label && (d.rank[2] != layers/2 || d.extent[2].above < lineHeight) {
			t.Errorf("the text is in layer %d, with room %v", d.rank[2], d.extent[2])
		}
		// Each layer that is walked is charged.
		if err := d.pass(0, false); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("text %v, through all layers: %v", label, err)
		}
	}
	// A part whose arcs pass too many layers together has straight arrows.
	l := &layout{account: account.Of(t.Context()), labels: make([][]string, 3)}
	for most, want := range map[int]int{mostPasses: mostPasses, mostPasses + 1: 0} {
		d := &drawing{layout: l, rank: []int{0, most + 1}, extent: make([]extent, 2), arcs: []arc{{from: 0, to: 1}}}
		if err := d.passLayers(); err != nil || len(d.passes[0]) != want {
			t.Errorf("%d layers: %d vertices, %v", most, len(d.passes[0]), err)
		}
	}
}

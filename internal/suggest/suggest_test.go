package suggest

import (
	"fmt"
	"reflect"
	"slices"
	"sort"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestNearest(t *testing.T) {
	known := []string{"Catch1_1", "Catch1_2", "Catch1_3", "Catch2_1", "Fork_1", "ready", "Eat_10", "Eat_1"}
	for name, want := range map[string][]string{
		"Catch1_4":          {"Catch1_1", "Catch1_2", "Catch1_3"},
		"catch2_1":          {"Catch2_1", "Catch1_1", "Catch1_2"},
		"Cacth1_1":          {"Catch1_1", "Catch1_2", "Catch1_3"},
		"raedy":             {"ready"},
		"redy":              {"ready"},
		"Eat_":              {"Eat_1", "Eat_10"},
		"completelyUnknown": {},
		"x":                 {},
		"":                  nil,
	} {
		if got := Nearest(name, known); !reflect.DeepEqual(got, want) {
			t.Errorf("%q: got %q, want %q", name, got, want)
		}
	}
}

// plainDistance returns the distance by the whole matrix.
func plainDistance(a, b string) int {
	d := make([][]int, len(a)+1)
	for i := range d {
		d[i] = make([]int, len(b)+1)
		for j := range d[i] {
			switch {
			case i == 0 || j == 0:
				d[i][j] = i + j
				continue
			case a[i-1] == b[j-1]:
				d[i][j] = d[i-1][j-1]
			default:
				d[i][j] = 1 + min(d[i-1][j-1], d[i-1][j], d[i][j-1])
			}
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				d[i][j] = min(d[i][j], d[i-2][j-2]+1)
			}
		}
	}
	return d[len(a)][len(b)]
}

// The cut-off distance is the plain one up to the cut-off.
func TestEditDistance(t *testing.T) {
	word := rapid.StringMatching("[abc]{0,9}")
	rapid.Check(t, func(t *rapid.T) {
		a, b := word.Draw(t, "a"), word.Draw(t, "b")
		limit := rapid.IntRange(0, 5).Draw(t, "limit")
		var rows [3][longestSuggestion + 1]int
		for i := range rows {
			for j := range rows[i] {
				rows[i][j] = rapid.IntRange(0, 1).Draw(t, "stale")
				if j > 12 {
					break
				}
			}
		}
		got, _ := editDistance(a, b, limit, &rows)
		want := min(plainDistance(a, b), limit+1)
		if got != want {
			t.Fatalf("%q to %q up to %d: %d, want %d", a, b, limit, got, want)
		}
	})
}

// The names offered are the nearest of all.
func TestNearestIsNearest(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		known := rapid.SliceOfDistinct(rapid.StringMatching("[ab]{1,6}"), rapid.ID).Draw(t, "known")
		name := rapid.StringMatching("[ab]{1,6}").Draw(t, "name")
		var want []string
		for _, k := range known {
			if d := plainDistance(name, k); d <= len(name)/3+1 && d < len(name) {
				want = append(want, fmt.Sprintf("%02d %s", d, k))
			}
		}
		sort.Strings(want)
		want = want[:min(len(want), mostSuggestions)]
		got := Nearest(name, known)
		for i, n := range got {
			got[i] = fmt.Sprintf("%02d %s", plainDistance(name, n), n)
		}
		if len(got)+len(want) > 0 && !reflect.DeepEqual(got, want) {
			t.Fatalf("%q: got %q, want %q", name, got, want)
		}
	})
}

// TestNearestEnds: long names are not compared with all of very many long ones. The best one is the last here.
func TestNearestEnds(t *testing.T) {
	name := strings.Repeat("a", longestSuggestion)
	far := name[:140] + strings.Repeat("b", 60)
	for _, c := range []struct {
		others int
		want   string
	}{{100, name[1:]}, {1000, far}} {
		known := append(slices.Repeat([]string{far}, c.others), name[1:])
		if got := Nearest(name, known); len(got) == 0 || got[0] != c.want {
			t.Errorf("of %d others: %q, want %q first", c.others, got, c.want)
		}
	}
	var rows [3][longestSuggestion + 1]int
	if _, cells := editDistance(name, far, 60, &rows); cells < 20_000 || cells > 200*121 {
		t.Errorf("%d cells for two names", cells)
	}
}

func BenchmarkNearest(b *testing.B) {
	known := make([]string, 100000)
	for i := range known {
		known[i] = fmt.Sprintf("WantSection_%d_%d", i/300, i%300)
	}
	for b.Loop() {
		if got := Nearest("WantSecton_17_333", known); len(got) != mostSuggestions {
			b.Fatal(got)
		}
	}
}

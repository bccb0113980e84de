// Package suggest finds the names that a misspelled one may stand for.
//
// In come a name that nobody knows, and those that are known; out goes the end of an error
// message. Package logic asks it about places and transitions, package main about commands
// and flags.
package suggest

import (
	"fmt"
	"sort"
	"strings"
)

const (
	// mostSuggestions is how many names an error offers.
	mostSuggestions = 3
	// longestSuggestion bounds the names compared, and so the time for one.
	longestSuggestion = 200
	// mostWork bounds the time for all of them, in names looked at and cells of the table of distances.
	// It is some tens of milliseconds. A name of 20 letters is compared with 80,000 names or more.
	mostWork = 1 << 24
)

// Nearest lists the known names most like name, the best first, at most mostSuggestions
// of them. Likeness is the restricted Damerau-Levenshtein distance over bytes, without
// regard to ASCII case. It is cut off at a third of the length of name, and below this
// length. It costs O(len(name)·cut-off) for each known name of about its length. Of names that are so many
// and so long that this takes more than mostWork, the last ones are not looked at.
func Nearest(name string, known []string) []string {
	if name == "" || len(name) > longestSuggestion {
		return nil
	}
	type candidate struct {
		name     string
		distance int
	}
	var best []candidate
	limit := len(name)/3 + 1
	var rows [3][longestSuggestion + 1]int
	work := 0
	for _, k := range known {
		if work > mostWork {
			break
		}
		d, cells := editDistance(name, k, limit, &rows)
		work += 1 + cells
		if d > limit || d >= len(name) {
			continue
		}
		i := sort.Search(len(best), func(i int) bool {
			return best[i].distance > d || best[i].distance == d && best[i].name >= k
		})
		if i == mostSuggestions || i < len(best) && best[i].name == k {
			continue
		}
		best = append(best[:i], append([]candidate{{k, d}}, best[i:]...)...)
		if len(best) > mostSuggestions {
			best = best[:mostSuggestions]
		}
		if len(best) == mostSuggestions {
			limit = best[mostSuggestions-1].distance
		}
	}
	names := make([]string, len(best))
	for i, c := range best {
		names[i] = c.name
	}
	return names
}

// editDistance returns the least number of insertions, deletions, replacements and
// swaps of neighbours that make b of a, or limit+1 if it exceeds limit. It
// computes only the diagonal band of width 2·limit+1 that can stay below it, and
// also returns how many cells of that it has filled.
//
// It is the usual table: the distance of the first i letters of a from the first j of b follows from
// those of shorter beginnings. Only three rows are kept, the third for swaps, which look two back. For
// example, "palces" is one swap from "places", and two replacements without swaps. If a whole row
// is above the limit, all later ones are, and the answer is known.
func editDistance(a, b string, limit int, rows *[3][longestSuggestion + 1]int) (distance, cells int) {
	if len(b) > longestSuggestion || len(a)-len(b) > limit || len(b)-len(a) > limit {
		return limit + 1, 0
	}
	before, last, row := &rows[0], &rows[1], &rows[2]
	for j := range len(b) + 1 {
		last[j] = j
	}
	for i := 1; i <= len(a); i++ {
		from, to := max(1, i-limit), min(len(b), i+limit)
		row[from-1] = limit + 1
		if from == 1 {
			row[0] = i
		}
		least := row[from-1]
		cells += to - from + 1
		for j := from; j <= to; j++ {
			x, y := lower(a[i-1]), lower(b[j-1])
			cost := 1
			if x == y {
				cost = 0
			}
			d := min(last[j-1]+cost, row[j-1]+1)
			if j < i+limit {
				d = min(d, last[j]+1)
			}
			if i > 1 && j > 1 && x == lower(b[j-2]) && y == lower(a[i-2]) {
				d = min(d, before[j-2]+1)
			}
			row[j] = d
			least = min(least, d)
		}
		if least > limit {
			return limit + 1, cells
		}
		before, last, row = last, row, before
	}
	return min(last[len(b)], limit+1), cells
}

// lower returns the small letter of an ASCII capital, and any other byte as it is.
func lower(c byte) byte {
	if 'A' <= c && c <= 'Z' {
		return c + 'a' - 'A'
	}
	return c
}

// DidYouMean returns the tail of an error message about an unknown name: "; did you
// mean …?" with known names that are like it, or nothing if there are none.
func DidYouMean(name string, known []string) string {
	names := Nearest(name, known)
	if len(names) == 0 {
		return ""
	}
	quoted := make([]string, len(names))
	for i, n := range names {
		quoted[i] = fmt.Sprintf("%q", n)
	}
	if len(quoted) == 1 {
		return "; did you mean " + quoted[0] + "?"
	}
	last := len(quoted) - 1
	return "; did you mean " + strings.Join(quoted[:last], ", ") + " or " + quoted[last] + "?"
}

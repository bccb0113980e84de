package hoa

import (
	"testing"

	"pgregory.net/rapid"
)

// TestStateSetAgainstMap does the same to two sets and two maps.
func TestStateSetAgainstMap(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var s, other stateSet
		in, inOther := map[int]bool{}, map[int]bool{}
		number := rapid.OneOf(rapid.IntRange(0, 100), rapid.IntRange(stateSetPage-3, stateSetPage+3), rapid.IntRange(0, largestInteger))
		for range rapid.IntRange(0, 100).Draw(t, "steps") {
			switch n := number.Draw(t, "state"); rapid.IntRange(0, 5).Draw(t, "step") {
			case 0:
				s.reset()
				clear(in)
			case 1, 2:
				if s.add(n) == in[n] {
					t.Fatalf("add(%d)", n)
				}
				in[n] = true
			case 3, 4:
				if other.add(n) == inOther[n] {
					t.Fatalf("add(%d) to the other", n)
				}
				inOther[n] = true
			case 5:
				if s.has(n) != in[n] {
					t.Fatalf("has(%d)", n)
				}
			}
			end, missing := 0, -1
			for n := range in {
				end = max(end, n+1)
				if !inOther[n] && (missing < 0 || n < missing) {
					missing = n
				}
			}
			if s.count != len(in) || s.end != end {
				t.Fatalf("%d members to %d, want %d to %d", s.count, s.end, len(in), end)
			}
			if n, found := s.missing(&other); found != (missing >= 0) || found && n != missing {
				t.Fatalf("missing %d %t, want %d", n, found, missing)
			}
		}
	})
}

// has reports whether state is a member.
func (s *stateSet) has(state int) bool {
	page := state / stateSetPage
	return page < len(s.pages) && s.pages[page] != nil &&
		s.pages[page][state%stateSetPage/64]>>(state%64)&1 == 1
}

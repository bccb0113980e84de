package clauses

import "errors"

// ErrMany says that the clauses have become too many.
var ErrMany = errors.New("too many clauses")

// restartUnit is how many conflicts the shortest search between two restarts has.
const restartUnit = 64

// Solve reports whether the clauses have a solution, which True then tells. An error says why it does
// not know: the account's reason to stop, or ErrMany.
func (s *Solver) Solve() (bool, error) {
	conflicts, restarts := 0, 1
	limit := restartUnit * luby(restarts)
	for !s.refuted {
		if err := s.account.Charge(watchWork); err != nil {
			return false, err
		}
		if conflict := s.propagate(); conflict != noReason {
			if len(s.starts) == 0 {
				s.refuted = true
				break
			}
			if len(s.literals) > mostLiterals {
				return false, ErrMany
			}
			s.learn(conflict)
			conflicts++
			continue
		}
		if conflicts >= limit {
			conflicts, restarts = 0, restarts+1
			limit = restartUnit * luby(restarts)
			s.backtrack(0)
			continue
		}
		v, ok := s.open()
		if !ok {
			return true, nil
		}
		s.starts = append(s.starts, len(s.trail))
		s.set(Is(v).Not(), noReason)
	}
	return false, nil
}

// open returns the most active variable without a value.
func (s *Solver) open() (Variable, bool) {
	for {
		v, ok := s.order.pop()
		if !ok || s.values[Is(v)] == 0 {
			return v, ok
		}
	}
}

// backtrack takes back all levels above one.
func (s *Solver) backtrack(level int) {
	if len(s.starts) <= level {
		return
	}
	for _, l := range s.trail[s.starts[level]:] {
		s.values[l], s.values[l.Not()] = 0, 0
		s.order.push(l.Variable())
	}
	s.trail = s.trail[:s.starts[level]]
	s.starts = s.starts[:level]
	s.next = len(s.trail)
}

// learn adds a clause that follows from the others, and goes back to the level at which it forces a
// value. Literals of the conflict that were set at the present level are replaced by what they follow from,
// last ones first, until one is left: all literals of what is left are false, and once all but that
// one are so, it must be true.
func (s *Solver) learn(conflict int32) {
	present := int32(len(s.starts))
	s.learned = append(s.learned[:0], 0) // room for the one that is left
	open, at, reason := 0, len(s.trail), conflict
	var last Literal
	for {
		for _, l := range s.clause(reason) {
			v := l.Variable()
			if s.values[l] > 0 || s.seen[v] || s.level[v] == 0 {
				continue
			}
			s.seen[v] = true
			s.order.raise(v)
			if s.level[v] == present {
				open++
			} else {
				s.learned = append(s.learned, l)
			}
		}
		s.account.Add(watchWork * len(s.clause(reason)))
		for at--; !s.seen[s.trail[at].Variable()]; at-- {
		}
		last = s.trail[at]
		s.seen[last.Variable()] = false
		if open--; open == 0 {
			break
		}
		reason = s.reason[last.Variable()]
	}
	s.learned[0] = last.Not()
	back, second := int32(0), 1
	for i, l := range s.learned[1:] {
		s.seen[l.Variable()] = false
		if k := s.level[l.Variable()]; k > back {
			back, second = k, i+1
		}
	}
	if len(s.learned) > 1 { // the second is watched, and must be the last to get open again
		s.learned[1], s.learned[second] = s.learned[second], s.learned[1]
	}
	s.order.decay()
	s.backtrack(int(back))
	start := len(s.literals)
	s.literals = append(append(s.literals, 0), s.learned...)
	s.attach(start, int32(start))
}

// luby returns number i, from 1, of the sequence 1 1 2 1 1 2 4 1 1 2 1 1 2 4 8 ...
func luby(i int) int {
	for {
		k := 1
		for 1<<k-1 < i {
			k++
		}
		if 1<<k-1 == i {
			return 1 << (k - 1)
		}
		i -= 1<<(k-1) - 1
	}
}

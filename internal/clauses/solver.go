package clauses

import "pnmc/internal/account"

// Variable is the number of a variable, from 0.
type Variable uint32

// Literal is a variable or its negation: twice the variable's number, and 1 more if negated.
type Literal uint32

// Is returns the literal that is true if v is.
func Is(v Variable) Literal { return Literal(v << 1) }

// Not returns the negation of a literal.
func (l Literal) Not() Literal { return l ^ 1 }

// Variable returns the variable of a literal.
func (l Literal) Variable() Variable { return Variable(l >> 1) }

// Solver holds clauses, given and learned, and a truth value for some of the variables. Values are
// decided one on top of the other: a level is a decision and all that follows from it. Level 0 is what
// follows from the clauses alone. Not safe for concurrent use.
type Solver struct {
	// literals has the clauses one after the other, each after its length. A reference to a clause
	// is where its length is. The first two literals of a clause are watched: as long as a value is
	// wanted of them, the clause needs no look.
	literals []Literal
	watches  [][]watch // by literal: the clauses that watch it
	values   []int8    // by literal: 1 true, -1 false, 0 open
	level    []int32   // by variable, if it has a value
	reason   []int32   // by variable: the clause that it follows from, or noReason
	trail    []Literal // the true ones, in order
	starts   []int     // where the levels from 1 on begin in trail
	next     int       // the first of trail that has not been propagated
	order    order
	seen     []bool // by variable, while a conflict is analyzed
	learned  []Literal
	refuted  bool // no solution
	account  *account.Account
}

// watch is a clause and a literal of it: if that is true, there is no need to look at the clause.
type watch struct {
	clause  int32
	blocker Literal
}

const noReason = -1

// mostLiterals bounds the literals of all clauses: a search that would go beyond gives up.
const mostLiterals = 1 << 25

// New returns a solver without clauses, which charges the account.
func New(a *account.Account) *Solver { return &Solver{account: a} }

// Charge lets the solver charge another account from now on.
func (s *Solver) Charge(a *account.Account) { s.account = a }

// Variable adds a variable and returns it.
func (s *Solver) Variable() Variable {
	v := Variable(len(s.level))
	s.watches = append(s.watches, nil, nil)
	s.values = append(s.values, 0, 0)
	s.level = append(s.level, 0)
	s.reason = append(s.reason, noReason)
	s.seen = append(s.seen, false)
	s.order.add(v)
	return v
}

// Variables returns how many variables there are.
func (s *Solver) Variables() int { return len(s.level) }

// True reports whether v is true in the solution that Solve has found, until a clause is added.
func (s *Solver) True(v Variable) bool { return s.values[Is(v)] > 0 }

// Add adds a clause. It takes back the solution, if there is one.
func (s *Solver) Add(clause ...Literal) {
	s.backtrack(0)
	if s.refuted {
		return
	}
	s.account.Add(literalWork * len(clause))
	start := len(s.literals)
	s.literals = append(s.literals, 0)
	for _, l := range clause {
		satisfied := s.values[l] > 0
		repeated := false
		for _, k := range s.literals[start+1:] {
			satisfied = satisfied || k == l.Not()
			repeated = repeated || k == l
		}
		if satisfied {
			s.literals = s.literals[:start]
			return
		}
		if s.values[l] == 0 && !repeated {
			s.literals = append(s.literals, l)
		}
	}
	s.attach(start, noReason)
}

// attach completes the clause of the literals after start. A clause of one literal is not kept: the
// literal gets its value. If implied is not noReason, all literals but the first are false, and the
// first one follows from them.
func (s *Solver) attach(start int, implied int32) {
	list := s.literals[start+1:]
	switch len(list) {
	case 0:
		s.refuted = true
		s.literals = s.literals[:start]
	case 1:
		l := list[0]
		s.literals = s.literals[:start]
		s.set(l, noReason)
	default:
		s.literals[start] = Literal(len(list))
		for i := range 2 {
			s.watches[list[i]] = append(s.watches[list[i]], watch{int32(start), list[1-i]})
		}
		if implied != noReason {
			s.set(list[0], int32(start))
		}
	}
}

// clause returns the literals of a clause.
func (s *Solver) clause(reference int32) []Literal {
	return s.literals[reference+1 : int(reference)+1+int(s.literals[reference])]
}

// set makes an open literal true, at the present level.
func (s *Solver) set(l Literal, reason int32) {
	v := l.Variable()
	s.values[l], s.values[l.Not()] = 1, -1
	s.level[v], s.reason[v] = int32(len(s.starts)), reason
	s.trail = append(s.trail, l)
}

// propagate makes true what follows from the values by single clauses. It returns a clause whose literals
// are all false, or noReason.
func (s *Solver) propagate() int32 {
	for s.next < len(s.trail) {
		falsified := s.trail[s.next].Not()
		s.next++
		list := s.watches[falsified]
		s.account.Add(watchWork * len(list))
		kept := list[:0]
		for i, w := range list {
			if s.values[w.blocker] > 0 {
				kept = append(kept, w)
				continue
			}
			c := s.clause(w.clause)
			if c[0] == falsified {
				c[0], c[1] = c[1], c[0]
			}
			if s.values[c[0]] > 0 {
				kept = append(kept, watch{w.clause, c[0]})
				continue
			}
			if s.rewatch(w.clause, c) {
				continue
			}
			kept = append(kept, w)
			if s.values[c[0]] < 0 {
				kept = append(kept, list[i+1:]...)
				s.watches[falsified] = kept
				return w.clause
			}
			s.set(c[0], w.clause)
		}
		s.watches[falsified] = kept
	}
	return noReason
}

// rewatch watches another literal in place of the second one of c, which is false. It reports false if
// all others are false as well.
func (s *Solver) rewatch(reference int32, c []Literal) bool {
	for k := 2; k < len(c); k++ {
		if s.values[c[k]] >= 0 {
			c[1], c[k] = c[k], c[1]
			s.watches[c[1]] = append(s.watches[c[1]], watch{reference, c[0]})
			s.account.Add(literalWork * k)
			return true
		}
	}
	s.account.Add(literalWork * len(c))
	return false
}

// Work in about nanoseconds: to look at a literal, and at a clause that watches one.
const (
	literalWork = 2
	watchWork   = 8
)

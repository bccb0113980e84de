package mcc

import (
	"errors"
	"sync"

	"pnmc/automata"
	"pnmc/logic"
	"pnmc/query"
)

// compiler resolves formulas against the names of a net.
type compiler struct {
	names *names
	// known, unless nil, simplifies predicates by what is proven of all reachable
	// markings, and tells how it did.
	known func(*logic.Predicate) (*logic.Predicate, Techniques)
	// changedBy has the techniques of known since it was last set to 0.
	changedBy Techniques
}

func (c *compiler) resolver() *query.Resolver {
	r := &query.Resolver{Vocabulary: c.names}
	if c.known != nil {
		r.Simplify = func(p *logic.Predicate) *logic.Predicate {
			p, by := c.known(p)
			c.changedBy |= by
			return p
		}
	}
	return r
}

// bound resolves a place-bound.
func (c *compiler) bound(f *query.Formula) (logic.Sum, error) { return c.resolver().Bound(f) }

// ctl resolves a formula of CTL.
func (c *compiler) ctl(f *query.Formula) (*logic.CTL, error) { return c.resolver().CTL(f) }

// linear is a resolved formula of LTL with what its propositions mean.
type linear struct {
	formulas   *logic.Formulas
	formula    *logic.Formula
	predicates []*logic.Predicate // by proposition

	// translation guards formulas and automaton, that of the negation, once the
	// lanes of a run ask for it.
	translation sync.Mutex
	automaton   *automata.Automaton
}

// ltl resolves one leading path quantifier, that of all paths, over a formula of linear
// time.
func (c *compiler) ltl(f *query.Formula) (*linear, error) {
	l, err := c.resolver().LTL(f)
	if err != nil {
		return nil, err
	}
	if l.Exists {
		return nil, errors.New("exists-path is not supported: LTL starts with all-paths")
	}
	return &linear{formulas: l.Formulas, formula: l.Formula, predicates: l.Predicates}, nil
}

func not(p *logic.Predicate) *logic.Predicate {
	return &logic.Predicate{Operator: logic.Not, Operands: []*logic.Predicate{p}}
}

func ctlNot(f *logic.CTL) *logic.CTL { return logic.NewCTL(logic.CTLNot, f) }

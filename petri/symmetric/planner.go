package symmetric

import (
	"cmp"
	"slices"
	"unsafe"
)

// planner makes the plans of one transition: one for each input arc from which a new token may come.
//
// A plan binds all variables, and there may be thousands. So what may come next is kept in two heaps:
// equations with one side bound, and atoms by what they have unbound. Binding a variable looks only at
// the equations and atoms that have it. A plan so takes time in the length of arcs and guard, times a
// logarithm.
type planner struct {
	net        *Net
	transition *Transition
	atoms      []*atom
	conjuncts  []*Guard
	leaves     []dated // of conjuncts that are no disjunctions
	equations  uses    // conjuncts that are equations, by their variables
	matches    uses    // atoms, by their variables, as often as they have them
	bySize     []int32 // variables, those with small classes first
	bytes      int     // about what a plan takes, with the scratch that it is made with
	limits     planLimits
	register   func(place int, positions []int) *index
}

// planLimits are asked while plans are made. look reports false, at the latest some milliseconds of
// work after the time was over; reserve does if there is no room for so many bytes.
type planLimits struct {
	look, reserve func(int) bool
}

// uses lists for each variable who uses it.
type uses struct {
	start []int32 // for each variable; and the end
	users []int32
}

// of returns the users of a variable.
func (u *uses) of(variable int) []int32 { return u.users[u.start[variable]:u.start[variable+1]] }

// usesOf collects uses. each calls its argument with all pairs of a variable and a user, users
// ascending. It is called twice.
func usesOf(variables int, each func(use func(variable, user int))) uses {
	u := uses{start: make([]int32, variables+1)}
	each(func(variable, _ int) { u.start[variable+1]++ })
	for v := range variables {
		u.start[v+1] += u.start[v]
	}
	u.users = make([]int32, u.start[variables])
	next := slices.Clone(u.start)
	each(func(variable, user int) {
		u.users[next[variable]] = int32(user)
		next[variable]++
	})
	return u
}

// The sizes of what a plan has for each step, atom, term and part of a guard.
const (
	stepBytes  = int(unsafe.Sizeof(step{}))
	matchBytes = int(unsafe.Sizeof(matching{})+unsafe.Sizeof(candidate{})) + 8
	termBytes  = int(unsafe.Sizeof(0) + 2*unsafe.Sizeof(candidate{}))
	partBytes  = int(unsafe.Sizeof(dated{})+2*unsafe.Sizeof(test{})) + 8
)

// newPlanner plans for t, with further conditions beside its guard. It returns nil if a limit is
// reached.
func newPlanner(net *Net, t *Transition, conditions []*Guard, limits planLimits, register func(int, []int) *index) *planner {
	if !limits.reserve(t.Guard.normalBytes(false)) {
		return nil
	}
	p := &planner{net: net, transition: t, register: register, limits: limits}
	p.conjuncts = slices.Concat(t.Guard.Conjuncts(), conditions)
	parts, terms := 0, 0
	for _, g := range p.conjuncts {
		parts += g.Parts()
	}
	for _, arc := range t.Pre {
		if arc.Expression.Subtracts() {
			continue
		}
		for _, m := range arc.Expression {
			if !hasAll(m) {
				p.atoms = append(p.atoms, &atom{arc.Place, m.Terms, len(p.atoms)})
				terms += len(m.Terms)
			}
		}
	}
	variables := len(t.Variables)
	p.bytes = (variables+len(p.atoms))*stepBytes + len(p.atoms)*matchBytes + terms*termBytes + parts*partBytes + variables*12
	if !limits.reserve(p.bytes) { // what all plans have together takes no more than one
		return nil
	}
	p.leaves = make([]dated, len(p.conjuncts))
	for i, g := range p.conjuncts {
		if g.Operator > Or {
			p.leaves[i] = dated{leaf: g, operator: g.Operator}
		}
	}
	p.equations = usesOf(variables, func(use func(variable, user int)) {
		for i, g := range p.conjuncts {
			if !g.isEquation() {
				continue
			}
			for _, o := range []*Operand{&g.Left, &g.Right} {
				if o.Kind == Variable {
					use(o.Variable, i)
				}
			}
		}
	})
	p.matches = usesOf(variables, func(use func(variable, user int)) {
		for i, a := range p.atoms {
			for _, t := range a.terms {
				if t.Kind == Variable {
					use(t.Variable, i)
				}
			}
		}
	})
	p.bySize = make([]int32, variables)
	for v := range p.bySize {
		p.bySize[v] = int32(v)
	}
	slices.SortStableFunc(p.bySize, func(a, b int32) int { return cmp.Compare(t.Variables[a].Class.Size, t.Variables[b].Class.Size) })
	return p
}

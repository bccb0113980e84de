package hoa

import "pnmc/internal/longtoken"

// defineAlias makes an alias of its header; it may use those before it.
func (r *Reader) defineAlias(definition aliasDefinition) {
	name, at := definition.item.Name, definition.at
	r.base = at
	if before, ok := r.labels.byName[name]; ok {
		first := r.labels.aliases[before].at
		r.report(at, "a second definition of alias %s, the first one being at %d:%d", longtoken.Shorten(name), first.Line, first.Column)
		return
	}
	if expression, ok := r.postfix(nil, definition.item.Expression); ok {
		if err := r.labels.define(name, at, expression); err != nil {
			r.stop(err)
		}
	}
}

// postfix appends the postfix form of a label expression; its recursion is
// bounded by headerNestingBound.
func (r *Reader) postfix(to []instruction, d *labelDisjunction) (_ []instruction, ok bool) {
	for i, c := range d.Operands {
		for j, a := range c.Operands {
			if to, ok = r.postfixAtom(to, a); !ok {
				return nil, false
			}
			if j > 0 {
				to = append(to, instruction{operator: applyAnd})
			}
		}
		if i > 0 {
			to = append(to, instruction{operator: applyOr})
		}
	}
	return to, true
}

// postfixAtom appends the postfix form of an atom, and one negation if an odd number stands
// before it.
func (r *Reader) postfixAtom(to []instruction, a *labelAtom) (_ []instruction, ok bool) {
	at := r.place(a.Pos)
	switch {
	case a.Group != nil:
		if to, ok = r.postfix(to, a.Group); !ok {
			return nil, false
		}
	case a.Constant == "t":
		to = append(to, instruction{operator: pushTrue})
	case a.Constant == "f":
		to = append(to, instruction{operator: pushFalse})
	case a.Proposition != nil:
		if *a.Proposition >= len(r.labels.numbers) {
			r.report(at, "proposition %d, but the automaton has %d", *a.Proposition, len(r.labels.numbers))
			return nil, false
		}
		to = append(to, instruction{pushProposition, int32(*a.Proposition)})
	default:
		i, known := r.labels.byName[a.Alias]
		if !known {
			r.report(at, "unknown alias %s", longtoken.Shorten(a.Alias))
			return nil, false
		}
		to = append(to, instruction{pushAlias, i})
	}
	if len(a.Negations)%2 == 1 {
		to = append(to, instruction{operator: applyNot})
	}
	return to, true
}

package coloured

import (
	"pnmc/checker/internal/runs"
	"pnmc/petri/symmetric"
)

// present is the marking in which a walk of a coloured net is, with what is known of it.
type present struct {
	*Folded
	walk      *symmetric.Walk
	enabled   []runs.Truth // of each transition, once it was looked at
	uncertain bool         // a transition was looked at of which it is not known
}

// isEnabled reports whether a binding of t is enabled now.
func (p *present) isEnabled(t uint32) bool {
	if p.enabled[t] == runs.Unknown {
		enabled, certain := p.Test(p.walk, int(t))
		switch {
		case enabled:
			p.enabled[t] = runs.Yes
		case certain:
			p.enabled[t] = runs.No
		default:
			p.uncertain = true
		}
	}
	return p.enabled[t] == runs.Yes
}

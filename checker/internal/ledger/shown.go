package ledger

import (
	"slices"

	"pnmc/checker/branching"
	"pnmc/checker/inquiry"
	"pnmc/checker/internal/runs"
	"pnmc/checker/witness"
	"pnmc/logic"
	"pnmc/petri"
	"pnmc/petri/symmetric"
)

// shown returns what shows the value of b, which is known since the atom that last shows was decided:
// a run for each operator that one can show.
func (b *Boolean) shown(last inquiry.Witness) inquiry.Witness {
	var list []*inquiry.Witness
	b.collect(&list)
	if len(list) < 2 {
		return last
	}
	together, steps := inquiry.Witness{Ground: inquiry.Branches}, 0
	for _, w := range list {
		if !w.HasRun() {
			continue // a proof, or the initial marking
		}
		run, ok := asRun(w)
		if !ok {
			return last
		}
		steps += len(run.Prefix) + len(run.Bindings)
		if len(together.Branches) == mostBranches || steps > mostTold {
			break
		}
		together.Net, together.Coloured = w.Net, w.Coloured
		if !slices.ContainsFunc(together.Branches, func(other *branching.Run) bool { return sameFirings(run, other) }) {
			together.Branches = append(together.Branches, run)
		}
	}
	if len(together.Branches) == 0 {
		return last
	}
	return together
}

// sameFirings reports whether two runs that begin in the initial marking are the same.
func sameFirings(a, b *branching.Run) bool {
	return slices.Equal(a.Prefix, b.Prefix) && slices.EqualFunc(a.Bindings, b.Bindings, func(f, g symmetric.Firing) bool {
		return f.Transition == g.Transition && slices.Equal(f.Binding, g.Binding)
	})
}

// mostBranches bounds the runs that are shown for a formula.
const mostBranches = 16

// collect lists what shows the atoms that the value of b, which is known, rests on.
func (b *Boolean) collect(list *[]*inquiry.Witness) {
	if b.atom != nil {
		*list = append(*list, &b.atom.shown)
		return
	}
	value, _ := b.Value()
	all := b.operator == logic.Not || (b.operator == logic.And) == (value == runs.Yes)
	for _, o := range b.operands {
		if of, _ := o.Value(); !all && of != value {
			continue
		}
		if o.collect(list); !all {
			return
		}
	}
}

// asBranch returns an infinite run in the form that shows a formula of CTL.
func asBranch(shown inquiry.Witness) inquiry.Witness {
	if shown.Ground != inquiry.InfiniteRun || shown.Coloured {
		return shown
	}
	run, ok := asRun(&shown)
	if !ok {
		return shown
	}
	return inquiry.Witness{Ground: inquiry.Branches, Net: shown.Net, Branches: []*branching.Run{run}, Skeleton: shown.Skeleton}
}

// asRun returns the run of w transition by transition. It reports false if that is too long.
func asRun(w *inquiry.Witness) (run *branching.Run, ok bool) {
	run = &branching.Run{Bindings: w.Bindings}
	for _, part := range []struct {
		told *[]petri.Transition
		run  []witness.Burst
	}{{&run.Prefix, w.Run}, {&run.Cycle, w.Cycle}} {
		for _, burst := range part.run {
			if int64(len(*part.told))+burst.Times > mostTold {
				return nil, false
			}
			for range burst.Times {
				*part.told = append(*part.told, burst.Transition)
			}
		}
	}
	return run, true
}

// mostTold bounds the runs that are written out transition by transition.
const mostTold = 2_000_000

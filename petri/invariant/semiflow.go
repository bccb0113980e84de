package invariant

import (
	"context"
	"math"
	"slices"
	"unsafe"

	"pnmc/internal/account"
	"pnmc/internal/arithmetic"
	"pnmc/petri"
)

// A place semiflow is a set of places with positive weights whose weighted sum of tokens no firing
// changes. So the sum is what it was at first, and bounds each of its places. Minimal ones, whose
// support has no smaller one within, generate all others, and are what layouts and proofs use.
//
// The algorithm is that of Farkas. Begin with a row for each place: the place alone, and its
// effect, which is what each transition adds to it. Take one transition after the other. Each row
// that gains from it is combined with each row that loses by it, with weights such that the
// effects cancel. Then the rows that still have an effect on it are dropped. When all transitions
// are done, the rows left have no effect at all: they are semiflows.
//
// For example, let t move a token from p to q, and u move one back. The rows are p with the effect
// t: -1, u: +1, and q with t: +1, u: -1. For t the two are combined to p + q, and both dropped. The
// effect of p + q is empty for u, too: it is a semiflow, and p + q stays what it is.
//
// Why it is right: an effect is linear, so that a combination has the combined effect, and rows stay
// non-negative. Each semiflow is a combination of rows at each step (Colom and Silva), so no minimal
// one is lost but by a limit. Rows whose support contains another's are dropped at the end.
//
// What it costs: the number of rows can double with each transition, and semiflows themselves can
// be exponentially many. The transition with the fewest combinations is taken next (columns), and
// work is counted in entries touched. When the limit is reached, what is found is exact, though
// not all.

// row is a non-negative combination of places with its effect on transitions;
// it is a semiflow once the effect is empty. Both are sparse and sorted.
type row struct {
	effect  []entry
	support []entry
}

// entry is a number other than 0 at an index of a sparse row.
type entry struct {
	index uint32
	value int64
}

// defaultWork is the number of sparse entries that Semiflows may touch if the caller says
// zero: a quarter of a second, and some fifty megabytes. Five times as much bounds
// more places in ten of 84 nets of the contest, and takes a second and 400 MB.
const defaultWork = 8_000_000

// Semiflows returns place semiflows of minimal support, without places that a transition resets.
// Inhibitor arcs and capacities only forbid firings, so that a sum which is constant without them
// is constant with them.
//
// It stops after touching about work entries (0: 8,000,000, a quarter of a second), when ctx ends,
// or when rows take their share of the memory that the budget of ctx has free. It returns those
// found by then. A combination whose numbers leave 64 bits is dropped. Every semiflow returned is
// exact, whether or not all were found.
func Semiflows(ctx context.Context, net *petri.Net, work int) []petri.Semiflow {
	e := newElimination(ctx, net, work)
	e.run()
	return e.semiflows(net)
}

// run eliminates one column after the other.
func (e *elimination) run() {
	for e.goesOn() {
		t, work, ok := e.columns.cheapest()
		e.work -= work
		if !ok {
			break
		}
		e.eliminate(t)
	}
}

// elimination is the state of the algorithm. There is a row for each place at first. Transition by
// transition, rows with effects of opposite sign are combined, and then dropped.
type elimination struct {
	rows    []row // a dropped row has nil support
	columns *columns
	// touching lists, for each transition, rows that had an effect on it when
	// they were made; some may have been dropped since.
	touching [][]uint32
	scratch  [2][]entry // of the effect and the support of the row being made
	work     int
	ctx      context.Context
	look     int // the work left at the last look at ctx
	held     int // entries of rows
	most     int // of them
}

// rowCopies is how often what the rows hold may be there at a time: as rows, as terms, in
// the form that a caller wants, and as garbage.
const rowCopies = 4

// mostEntries bounds what rows hold by the budget that ctx carries.
func mostEntries(ctx context.Context) int {
	budget := account.Of(ctx).Budget()
	if budget.MemoryBytes <= 0 {
		return math.MaxInt
	}
	return int(budget.Free() / rowCopies / int64(unsafe.Sizeof(entry{})))
}

// finalWork is for sorting out what was found: some milliseconds.
const finalWork = 4 << 20

// workBetweenLooks is less than a millisecond.
const workBetweenLooks = 1 << 14

// goesOn reports whether there is work left, and ctx has not ended, nor the memory that it carries.
// Rows that were combined are garbage: where that has filled the memory, the look waits until it is
// collected.
func (e *elimination) goesOn() bool {
	if e.look-e.work >= workBetweenLooks {
		if e.look = e.work; account.Reason(e.ctx) != nil {
			e.work = 0
		}
	}
	return e.work > 0 && e.held <= e.most
}

// maxPairs bounds the rows that one elimination step may make: beyond it the
// number of semiflows explodes and none of them would be short.
const maxPairs = 20_000

// newElimination returns the elimination of net before its first step.
func newElimination(ctx context.Context, net *petri.Net, work int) *elimination {
	if work == 0 {
		work = defaultWork
	}
	e := &elimination{
		columns:  newColumns(net.Transitions()),
		touching: make([][]uint32, net.Transitions()),
		work:     work,
		ctx:      ctx,
		look:     work + workBetweenLooks, // the first question looks
		most:     mostEntries(ctx),
	}
	if net.Arcs() > e.most {
		e.work = 0 // there is no room for the rows to begin with
		return e
	}
	effects := make([][]entry, net.Places())
	for t := range petri.Transition(net.Transitions()) {
		for _, d := range net.Effect(t) {
			effects[d.Place] = append(effects[d.Place], entry{uint32(t), d.Weight})
		}
	}
	for p, effect := range effects {
		if net.Emptied(petri.Place(p)) {
			continue // what a reset takes differs from firing to firing
		}
		e.add(row{effect: effect, support: []entry{{uint32(p), 1}}})
	}
	return e
}

// add adds a row, which once the search is over only matters if it is a semiflow.
func (e *elimination) add(r row) {
	if len(r.effect) > 0 && !e.goesOn() {
		return
	}
	id := uint32(len(e.rows))
	e.rows = append(e.rows, r)
	for _, x := range r.effect {
		e.columns.add(x, 1)
		e.touching[x.index] = append(e.touching[x.index], id)
	}
	e.work -= r.size()
	e.held += r.size()
}

// size returns the number of entries.
func (r *row) size() int { return len(r.effect) + len(r.support) }

// drop takes a row out.
func (e *elimination) drop(id uint32) {
	for _, x := range e.rows[id].effect {
		e.columns.add(x, -1)
	}
	e.work -= len(e.rows[id].effect)
	e.held -= e.rows[id].size()
	e.rows[id] = row{}
}

// eliminate combines all rows that have opposite effects on t so that they have
// none, keeps the combinations of minimal support, and drops the rows.
func (e *elimination) eliminate(t uint32) {
	var positive, negative []uint32
	for _, id := range e.touching[t] {
		switch v := valueAt(e.rows[id].effect, t); {
		case v > 0:
			positive = append(positive, id)
		case v < 0:
			negative = append(negative, id)
		}
	}
	e.work -= len(e.touching[t])
	e.touching[t] = nil
	made := e.combinations(positive, negative, t)
	for _, id := range append(positive, negative...) {
		e.drop(id)
	}
	for _, r := range made {
		e.held -= r.size() // add counts those that are kept
	}
	for _, r := range e.minimal(made) {
		e.add(r)
	}
}

// combinations returns those of each of one list of rows with each of another that have no
// effect on t. There may be some missing.
func (e *elimination) combinations(positive, negative []uint32, t uint32) (made []row) {
	for _, p := range positive {
		for _, n := range negative {
			if len(made) >= maxPairs || !e.goesOn() {
				return made
			}
			if r, ok := e.combine(e.rows[p], e.rows[n], t); ok {
				made = append(made, r)
				e.held += r.size()
			}
		}
	}
	return made
}

// combine returns the least positive combination of two rows without effect on t, or
// false if its numbers are too large.
func (e *elimination) combine(p, n row, t uint32) (row, bool) {
	a, b := valueAt(p.effect, t), -valueAt(n.effect, t)
	if b < 0 { // -MinInt64
		return row{}, false
	}
	g := gcd(a, b)
	effect, ok1 := addScaled(e.scratch[0][:0], p.effect, b/g, n.effect, a/g)
	support, ok2 := addScaled(e.scratch[1][:0], p.support, b/g, n.support, a/g)
	e.work -= len(effect) + len(support) + 8
	if !ok1 || !ok2 {
		return row{}, false
	}
	e.scratch = [2][]entry{effect, support}
	r := row{exact(effect), exact(support)}
	r.reduce()
	return r, true
}

// exact returns a copy without room for more.
func exact(list []entry) []entry {
	c := make([]entry, len(list))
	copy(c, list)
	return c
}

// minimal keeps the rows whose support contains that of no other row, and of
// several with the same support one. Quadratic, hence only for few rows; a row
// that is not minimal is still right, only superfluous.
func (e *elimination) minimal(rows []row) []row {
	slices.SortStableFunc(rows, func(a, b row) int { return len(a.support) - len(b.support) })
	const quadratic = 2_000
	if len(rows) > quadratic {
		return rows
	}
	kept := rows[:0:0]
next:
	for i, r := range rows {
		if !e.goesOn() {
			return append(kept, rows[i:]...)
		}
		for _, k := range kept {
			e.work -= 1 + len(k.support)/8
			if contains(r.support, k.support) {
				continue next
			}
		}
		kept = append(kept, r)
	}
	return kept
}

// semiflows returns the rows without effect that have minimal support, with the value of each sum
// at first.
func (e *elimination) semiflows(net *petri.Net) []petri.Semiflow {
	var found []row
	for _, r := range e.rows {
		if len(r.support) > 0 && len(r.effect) == 0 {
			found = append(found, r)
		}
	}
	var flows []petri.Semiflow
	e.work, e.most = max(e.work, finalWork), math.MaxInt // what is found is sorted out even if nothing is left
	e.rows = nil
	e.look = e.work + workBetweenLooks
	for _, r := range e.minimal(found) {
		f, ok := petri.Semiflow{}, true
		for _, x := range r.support {
			m := net.InitialTokens(petri.Place(x.index))
			product, fits := arithmetic.Multiply(m, x.value)
			sum := f.Value + product
			ok = ok && fits && sum >= 0
			f.Value = sum
			f.Terms = append(f.Terms, petri.Arc{Place: petri.Place(x.index), Weight: x.value})
		}
		if ok {
			flows = append(flows, f)
		}
	}
	return flows
}

// reduce divides the row by the greatest common divisor of its numbers.
func (r *row) reduce() {
	g := int64(0)
	for _, x := range r.support {
		g = gcd(g, x.value)
	}
	for _, x := range r.effect {
		if g == 1 {
			return
		}
		g = gcd(g, x.value)
	}
	if g > 1 {
		for i := range r.support {
			r.support[i].value /= g
		}
		for i := range r.effect {
			r.effect[i].value /= g
		}
	}
}

// valueAt returns the value at an index, 0 if there is no entry.
func valueAt(v []entry, index uint32) int64 {
	i, ok := slices.BinarySearchFunc(v, index, func(x entry, i uint32) int { return int(x.index) - int(i) })
	if !ok {
		return 0
	}
	return v[i].value
}

// contains reports whether the indices of b are all among those of a.
func contains(a, b []entry) bool {
	i := 0
	for _, x := range b {
		for i < len(a) && a[i].index < x.index {
			i++
		}
		if i == len(a) || a[i].index != x.index {
			return false
		}
	}
	return true
}

// addScaled appends a·ka + b·kb without zero entries to out, or returns false on overflow.
func addScaled(out, a []entry, ka int64, b []entry, kb int64) ([]entry, bool) {
	for len(a) > 0 || len(b) > 0 {
		var x, y int64
		var index uint32
		takeA := len(b) == 0 || len(a) > 0 && a[0].index <= b[0].index
		takeB := len(a) == 0 || len(b) > 0 && b[0].index <= a[0].index
		ok1, ok2 := true, true
		if takeA {
			index = a[0].index
			x, ok1 = arithmetic.Multiply(a[0].value, ka)
			a = a[1:]
		}
		if takeB {
			index = b[0].index
			y, ok2 = arithmetic.Multiply(b[0].value, kb)
			b = b[1:]
		}
		sum := x + y
		if !ok1 || !ok2 || (x > 0) == (y > 0) && (sum > 0) != (x > 0) && x != 0 && y != 0 {
			return nil, false
		}
		if sum != 0 {
			out = append(out, entry{index, sum})
		}
	}
	return out, true
}

// gcd returns the greatest common divisor, never negative; gcd(0, a) = |a|.
func gcd(a, b int64) int64 {
	for b != 0 {
		a, b = b, a%b
	}
	if a < 0 {
		return -a
	}
	return a
}

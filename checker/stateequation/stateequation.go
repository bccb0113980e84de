package stateequation

import (
	"context"
	"math"
	"math/big"
	"math/rand/v2"
	"slices"

	"pnmc/checker/witness"
	"pnmc/internal/account"
	"pnmc/logic"
	"pnmc/petri"
)

// Equation holds the linear constraints that every reachable marking m satisfies: m = m0 + C·σ for
// some non-negative firing counts σ, and m ≥ 0 (Murata 1989, section V). A marking that
// contradicts them cannot be reached. A marking that satisfies them may be reachable or not. Each
// place that is reset has one more column in C: any number of its tokens may vanish at any time. A
// reset arc can do no more than that.
//
// Floating point only guides: an answer is given when integers certify it.
type Equation struct {
	net     *petri.Net
	simplex *simplex
	initial petri.Marking
	sums    map[string]int32 // forms of sums, by their terms
	// columns[p] lists the columns that change place p, each with how much it adds.
	columns [][]integerTerm
	traps   *traps
	// kept is how many solutions a question may leave, and solutions are those of the last one.
	kept      int
	rng       *rand.Rand // for weights
	solutions [][]witness.Burst
	began     int           // looks of the simplex at the context before the question
	begun     *clauseSearch // the last search by clauses, if it can go on
	afresh    bool          // look for all contradictions afresh, which tests do
}

// maxStateEquationSize bounds the places and transitions, taken together, of nets whose equation is
// worth setting up.
const maxStateEquationSize = 60_000

// bytesPerArc is about what an arc takes in columns, forms and traps.
const bytesPerArc = 40

// New sets up the equation of net. It returns nil if the net is too large, or has weights beyond 32
// bits or more than 2^52 tokens in a place. Inhibitor arcs and capacities are left out. They only
// forbid firings. A marking that is unreachable without them is unreachable with them, too. A trap
// that stays marked without them stays marked with them. Setting up costs the arcs of the net. It returns nil as well if ctx, or
// the budget that it carries, ends it.
func New(ctx context.Context, net *petri.Net) *Equation {
	if net.Places()+net.Transitions() > maxStateEquationSize {
		return nil
	}
	work := account.Of(ctx)
	if work.Reserve(bytesPerArc*net.Arcs()) != nil {
		return nil
	}
	var emptied []petri.Place
	if net.HasResets() {
		for p := range petri.Place(net.Places()) {
			if net.Emptied(p) {
				emptied = append(emptied, p)
			}
		}
	}
	e := &Equation{
		net: net, simplex: newSimplex(net.Transitions() + len(emptied)), initial: net.Initial(),
		sums: make(map[string]int32), columns: make([][]integerTerm, net.Places()), traps: newTraps(net),
	}
	if columns := e.simplex.columns; alwaysAbsent || columns*net.Places() > absentCells && columns >= absentShare*net.Places() {
		e.simplex.leaveOut()
	}
	for p := range petri.Place(net.Places()) {
		e.columns[p] = make([]integerTerm, 0, len(net.Consumers(p))+len(net.Producers(p)))
	}
	var effect []petri.Arc
	for t := range petri.Transition(net.Transitions()) {
		effect = net.AppendEffect(effect[:0], t)
		if work.Charge(bytesPerArc*(1+len(effect))) != nil {
			return nil
		}
		for _, a := range effect {
			if a.Weight > math.MaxInt32 || a.Weight < math.MinInt32 {
				return nil
			}
			e.columns[a.Place] = append(e.columns[a.Place], integerTerm{int32(t), a.Weight})
		}
	}
	for i, p := range emptied {
		e.columns[p] = append(e.columns[p], integerTerm{int32(net.Transitions() + i), -1})
	}
	for p, tokens := range e.initial {
		if tokens > 1<<52 {
			return nil
		}
		f, _ := e.simplex.addForm(context.Background(), e.columns[p]) // no row is put together, and so nothing looks
		e.simplex.bound(f, -tokens, maxInfinite)
	}
	return e
}

// sumForm returns the form for the change of Σ terms, which it makes if needed, and the
// initial value of the sum; ok is false if coefficients get too large, dense rows too many, or ctx ends.
func (e *Equation) sumForm(ctx context.Context, terms []logic.Term) (f int32, initial int64, ok bool) {
	for _, t := range terms {
		product := new(big.Int).Mul(big.NewInt(t.Coefficient), big.NewInt(e.initial[t.Place]))
		if !product.IsInt64() || product.BitLen() > 60 || t.Coefficient > math.MaxInt32 || t.Coefficient < math.MinInt32 {
			return 0, 0, false
		}
		if initial += product.Int64(); initial > 1<<61 || initial < -1<<61 {
			return 0, 0, false
		}
	}
	if len(terms) == 1 && terms[0].Coefficient == 1 {
		return int32(terms[0].Place), initial, true
	}
	key := sumKey(terms)
	if f, ok := e.sums[key]; ok {
		return f, initial, true
	}
	if e.simplex.isFull() {
		return 0, 0, false
	}
	effect := make(map[int32]int64)
	for _, t := range terms {
		e.simplex.work += searchWork * (1 + len(e.columns[t.Place]))
		for _, c := range e.columns[t.Place] {
			v := effect[c.column] + t.Coefficient*c.coefficient
			if v > 1<<61 || v < -1<<61 {
				return 0, 0, false
			}
			effect[c.column] = v
		}
	}
	form := make([]integerTerm, 0, len(effect))
	for t, v := range effect {
		if v != 0 {
			form = append(form, integerTerm{t, v})
		}
	}
	slices.SortFunc(form, func(a, b integerTerm) int { return int(a.column) - int(b.column) })
	if f, ok = e.simplex.addForm(ctx, form); ok {
		e.sums[key] = f
	}
	return f, initial, ok
}

// sumKey returns the terms as bytes, for the table of forms.
func sumKey(terms []logic.Term) string {
	key := make([]byte, 0, 12*len(terms))
	for _, t := range terms {
		for i := range 4 {
			key = append(key, byte(t.Place>>(8*i)))
		}
		for i := range 8 {
			key = append(key, byte(uint64(t.Coefficient)>>(8*i)))
		}
	}
	return string(key)
}

// UpperBound returns a proven upper bound of sum over the reachable markings. It reports false if
// it finds none; the sum may be bounded nevertheless. It does not split, so that the bound need not
// be the best.
func (e *Equation) UpperBound(ctx context.Context, sum logic.Sum) (int64, bool) {
	e.begin()
	f, initial, ok := e.sumForm(ctx, sum.Terms)
	if !ok {
		return 0, false
	}
	if v, _ := e.simplex.check(ctx); v != possible {
		return 0, false
	}
	v, row := e.simplex.maximize(ctx, f)
	if v != possible {
		return 0, false
	}
	gain, ok := e.simplex.certifiedMaximum(f, row)
	if !ok {
		return 0, false
	}
	e.keepAt(ctx, f)
	bound := new(big.Int).Add(gain, big.NewInt(initial))
	bound.Add(bound, big.NewInt(sum.Constant))
	return bound.Int64(), bound.IsInt64()
}

// estimate returns the tokens of p in the present solution, which may be a fraction.
func (e *Equation) estimate(p uint32) float64 {
	return float64(e.initial[p]) + e.simplex.value[e.simplex.variable(int32(p))]
}

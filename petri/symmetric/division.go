package symmetric

import "slices"

// divisions put colours into blocks that a net need not tell apart.
//
// A net of a thousand clients that all do the same need not be unfolded a thousand times. If
// all guards and arcs treat client 7 like client 8, their tokens can be merged. There is then
// one place for "some client waits", with as many tokens as clients wait.
//
// A division puts the colours of a class into blocks. The colours at each position of a place have
// one, and so do those of each variable of a transition. Tokens whose colours are in the same
// blocks are merged, and so are bindings, by taking the least colour of a block for all. With the
// divisions found, the net with merged tokens does what the net does. A marking and its merged
// marking are bisimilar, step by step and transition by transition, and a coloured place has
// equally many tokens in both.
//
// For that it suffices that
//   - a guard has the same value for all colours in the blocks of its variables,
//   - the tokens of an arc fall into the same blocks for all those colours, and
//   - where blocks hold enough tokens to fire, there are colours for the variables that
//     tokens really have. A variable that input arcs use once takes the colour of any
//     token in its block; for that, the blocks of variable and position must be the
//     same. Where input arcs use a variable twice, with a coefficient or with a term
//     All beside it, its colours are all told apart.
//
// The coarsest divisions with these properties are found by splitting blocks until nothing violates
// them, starting from one block for all. For example, let t take x from p with the guard x ≤ 3,
// over the colours 1 to 9, and give x to q, from where u takes the constant 1. The guard splits the
// variable into {1, 2, 3} and {4, ..., 9}; through the arcs p gets the same blocks. u splits q into
// {1} and the rest. So the arc to q splits the variable into {1}, {2, 3} and {4, ..., 9}, and the
// arc from p splits p so. Then nothing changes: three places for p instead of nine, and two for q.
//
// Bilgram, Jensen, Pedersen, Srba and Taankvist, "Methods for efficient unfolding
// of colored Petri nets" (2023), call this colour quotienting.
type divisions struct {
	places    [][]*division // for each place and position
	variables [][]*division // for each transition and variable
	changed   bool
	rounds    int
	look      func(work int) bool // false: the work is to end
}

// division has the block of each colour, by number; the blocks are numbered from 0 without gaps. If
// told is set, all colours are in blocks of their own.
type division struct {
	block []int32
	count int32
	told  bool
	least []int64 // of each block its least colour; made when all is settled
}

// mostDivided bounds classes whose colours are divided; those of larger ones are told apart. Rounds
// of splitting are bounded, too. Around a ring with one special colour, each round splits off one
// more colour, which would take as many rounds as there are colours. Blocks that still split after
// mostRounds are split into single colours at once.
const (
	mostDivided = 1 << 20
	mostRounds  = 12
)

// divide finds the divisions of a net. It returns nil if all colours are told apart, or if look,
// which it calls now and then, reports false.
func divide(net *Net, look func(work int) bool) *divisions {
	d := &divisions{changed: true, look: look}
	fresh := func(c *Class) *division {
		if c.Size == 1 || c.Size > mostDivided {
			return &division{told: true}
		}
		return &division{block: make([]int32, c.Size), count: 1}
	}
	for p := range net.Places {
		var list []*division
		for _, c := range net.Places[p].Domain {
			list = append(list, fresh(c))
		}
		d.places = append(d.places, list)
	}
	for t := range net.Transitions {
		var list []*division
		for _, v := range net.Transitions[t].Variables {
			list = append(list, fresh(v.Class))
		}
		d.variables = append(d.variables, list)
	}
	for ; d.changed; d.rounds++ {
		d.changed = false
		for t := range net.Transitions {
			d.transition(net, t)
		}
		if !look(0) {
			return nil
		}
	}
	merges := false
	for _, list := range slices.Concat(d.places, d.variables) {
		for _, x := range list {
			x.settle()
			merges = merges || !x.told
		}
	}
	if !merges {
		return nil
	}
	return d
}

// tell makes all colours different.
func (d *divisions) tell(x *division) {
	if !x.told {
		x.told, x.block = true, nil
		d.changed = true
	}
}

// split splits the blocks of x so that colours in one block have the same key. It takes time linear
// in the class.
func (d *divisions) split(x *division, key func(colour int64) int64) {
	if x.told || !d.look(len(x.block)) {
		return
	}
	type pair struct {
		block int32
		key   int64
	}
	numbers := make(map[pair]int32)
	block := make([]int32, len(x.block))
	for colour, old := range x.block {
		k := pair{old, key(int64(colour))}
		number, ok := numbers[k]
		if !ok {
			number = int32(len(numbers))
			numbers[k] = number
		}
		block[colour] = number
	}
	if len(numbers) == int(x.count) {
		return
	}
	x.block, x.count = block, int32(len(numbers))
	d.changed = true
	if int(x.count) == len(block) || d.rounds > mostRounds {
		d.tell(x)
	}
}

// key returns a function that returns the block of the colour some steps on.
func (x *division) key(steps, size int64) func(int64) int64 {
	return func(colour int64) int64 {
		if colour += steps; colour >= size {
			colour -= size
		}
		if x.told {
			return colour
		}
		return int64(x.block[colour])
	}
}

// transition splits what the guard and the arcs of a transition tell apart.
func (d *divisions) transition(net *Net, number int) {
	t := &net.Transitions[number]
	variables := d.variables[number]
	if t.Guard != nil {
		d.guard(t.Guard, variables)
	}
	uses := make([]int, len(variables))
	for _, a := range t.Pre {
		for _, m := range a.Expression {
			alone := m.Coefficient == 1
			for i, term := range m.Terms {
				alone = alone && (term.Kind != All || net.Places[a.Place].Domain[i].Size == 1)
			}
			for _, term := range m.Terms {
				if term.Kind != Variable {
					continue
				}
				if uses[term.Variable]++; !alone {
					uses[term.Variable] = 2
				}
			}
		}
	}
	for v, n := range uses {
		if n > 1 {
			d.tell(variables[v])
		}
	}
	for _, a := range t.Pre {
		d.arc(a, net.Places[a.Place].Domain, variables, true)
	}
	for _, a := range t.Post {
		d.arc(a, net.Places[a.Place].Domain, variables, false)
	}
}

// arc splits classes whose colours an arc treats differently.
func (d *divisions) arc(a Arc, domain Domain, variables []*division, input bool) {
	negative := hasNegative(a.Expression)
	for _, m := range a.Expression {
		for i, term := range m.Terms {
			position, size := d.places[a.Place][i], domain[i].Size
			if negative {
				d.tell(position)
			}
			switch {
			case term.Kind == Variable:
				if negative {
					d.tell(variables[term.Variable])
				}
				d.split(variables[term.Variable], position.key(term.Value, size))
				if input {
					d.split(position, variables[term.Variable].key((size-term.Value)%size, size))
				}
			case input && term.Kind == All:
				d.tell(position)
			case input:
				d.split(position, func(colour int64) int64 {
					if colour == term.Value {
						return 1
					}
					return 0
				})
			}
		}
	}
}

// guard splits the colours of variables so that each comparison has one value in
// a block.
func (d *divisions) guard(g *Guard, variables []*division) {
	for _, o := range g.Operands {
		d.guard(o, variables)
	}
	if g.Operator < Equal {
		return
	}
	left, right := g.Left.Kind == Variable, g.Right.Kind == Variable
	switch {
	case left && right && g.Left.Variable != g.Right.Variable:
		for _, o := range []*Operand{&g.Left, &g.Right} {
			if o.Element == nil {
				d.tell(variables[o.Variable])
				continue
			}
			d.split(variables[o.Variable], func(colour int64) int64 { return o.Element[(colour+o.Value)%o.Class.Size] })
		}
	case left || right:
		v := g.Left.Variable
		if !left {
			v = g.Right.Variable
		}
		binding := make([]int64, len(variables))
		d.split(variables[v], func(colour int64) int64 {
			binding[v] = colour
			if g.Holds(binding) {
				return 1
			}
			return 0
		})
	}
}

// settle finds the least colour of each block.
func (x *division) settle() {
	if x.told {
		return
	}
	x.least = make([]int64, x.count)
	for colour := len(x.block) - 1; colour >= 0; colour-- {
		x.least[x.block[colour]] = int64(colour)
	}
}

// of returns the colour that stands for the block of a colour.
func (x *division) of(colour int64) int64 {
	if x.told {
		return colour
	}
	return x.least[x.block[colour]]
}

// divides reports whether some colours of a place are merged.
func (d *divisions) divides(place int) bool {
	return slices.ContainsFunc(d.places[place], func(x *division) bool { return !x.told })
}

// merge gives the tokens of a place the colours that stand for theirs, in place.
func (d *divisions) merge(place int, domain Domain, tokens []token) {
	colours := make([]int64, len(domain))
	for i := range tokens {
		domain.split(tokens[i].tuple, colours)
		tuple := int64(0)
		for k, x := range d.places[place] {
			tuple = tuple*domain[k].Size + x.of(colours[k])
		}
		tokens[i].tuple = tuple
	}
}

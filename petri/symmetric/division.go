package symmetric

import (
	"slices"
	"unsafe"
)

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
	look      func(work int) bool  // false: the work is to end
	reserve   func(bytes int) bool // false: there is no room for so many bytes
	blocks    []int32              // scratch for the blocks of a division that is split
	binding   []int64              // scratch
}

// division has the block of each colour, by number; the blocks are numbered from 0 without gaps, in
// the order of their least colours. If told is set, all colours are in blocks of their own.
type division struct {
	size  int64   // of the class
	block []int32 // nil while there is one block, and if told
	count int32
	told  bool
	least []int64 // of each block its least colour, ascending; made when all is settled
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
// which it calls with the work that it does, or reserve, which it calls before it takes memory,
// reports false.
//
// Most colours of most nets stay in one block or are told apart. Neither takes memory, so that a net
// of thousands of places over a class of a million colours is divided in little.
func divide(net *Net, look func(work int) bool, reserve func(bytes int) bool) *divisions {
	d := &divisions{changed: true, look: look, reserve: reserve}
	fresh := func(c *Class) *division {
		return &division{size: c.Size, count: 1, told: c.Size == 1 || c.Size > mostDivided}
	}
	for p := range net.Places {
		domain := net.Places[p].Domain
		if !look(1) || !reserve(len(domain)*divisionBytes) {
			return nil
		}
		list := make([]*division, len(domain))
		for i, c := range domain {
			list[i] = fresh(c)
		}
		d.places = append(d.places, list)
	}
	for t := range net.Transitions {
		variables := net.Transitions[t].Variables
		if !look(1) || !reserve(len(variables)*divisionBytes) {
			return nil
		}
		list := make([]*division, len(variables))
		for i, v := range variables {
			list[i] = fresh(v.Class)
		}
		d.variables = append(d.variables, list)
		d.binding = append(d.binding, make([]int64, max(0, len(list)-len(d.binding)))...)
	}
	for ; d.changed; d.rounds++ {
		d.changed = false
		for t := range net.Transitions {
			if d.transition(net, t); !look(1) {
				return nil
			}
		}
	}
	merges := false
	for _, lists := range [][][]*division{d.places, d.variables} {
		for _, list := range lists {
			for _, x := range list {
				if !look(1+len(x.block)) || !reserve(8*int(x.count)) {
					return nil
				}
				x.settle()
				merges = merges || !x.told
			}
		}
	}
	if !merges {
		return nil
	}
	return d
}

// divisionBytes is what a division takes with its pointer, without blocks.
const divisionBytes = int(unsafe.Sizeof(division{}) + unsafe.Sizeof(&division{}))

// tell makes all colours different.
func (d *divisions) tell(x *division) {
	if !x.told {
		x.told, x.block = true, nil
		d.changed = true
	}
}

// coloursPerLook is how many colours are split between two looks.
const coloursPerLook = 1 << 12

// split splits the blocks of x so that colours in one block have the same key; nil is one key for
// all. It takes time linear in the class, and does nothing if the work is to end.
func (d *divisions) split(x *division, key func(colour int64) int64) {
	if x.told || key == nil {
		return
	}
	type pair struct {
		block int32
		key   int64
	}
	const pairBytes = 48 // about, in a map that doubles
	if size := int(x.size); cap(d.blocks) != size {
		if !d.reserve(4 * size) {
			return
		}
		d.blocks = make([]int32, size)
	}
	numbers, reserved := make(map[pair]int32), 0
	block := d.blocks[:x.size]
	for colour := range block {
		if colour%coloursPerLook == 0 {
			if !d.look(min(coloursPerLook, len(block)-colour)) || !d.reserve((len(numbers)-reserved)*pairBytes) {
				return
			}
			reserved = len(numbers)
		}
		k := pair{0, key(int64(colour))}
		if x.block != nil {
			k.block = x.block[colour]
		}
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
	d.blocks, x.block, x.count = x.block, block, int32(len(numbers))
	d.changed = true
	if int(x.count) == len(block) || d.rounds > mostRounds {
		d.tell(x)
	}
}

// key returns a function that returns the block of the colour some steps on; nil if there is one
// block.
func (x *division) key(steps, size int64) func(int64) int64 {
	if !x.told && x.block == nil {
		return nil
	}
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
	if !d.look(len(uses)) {
		return
	}
	for _, a := range t.Pre {
		for _, m := range a.Expression {
			if !d.look(1 + len(m.Terms)) {
				return
			}
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
	negative := a.Expression.Subtracts()
	for _, m := range a.Expression {
		if !d.look(1 + len(m.Terms)) {
			return
		}
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
	if !d.look(1) || g.Operator < Equal {
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
		d.split(variables[v], func(colour int64) int64 {
			d.binding[v] = colour
			if g.Holds(d.binding) {
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
	switch {
	case x.told:
		return colour
	case x.block == nil:
		return 0
	}
	return x.least[x.block[colour]]
}

// same reports whether x and y divide a class in the same way.
func (x *division) same(y *division) bool {
	return x.told == y.told && x.count == y.count && slices.Equal(x.block, y.block)
}

// divides reports whether some colours of a place are merged.
func (d *divisions) divides(place int) bool {
	return slices.ContainsFunc(d.places[place], func(x *division) bool { return !x.told })
}

// merge gives the tokens of a place the colours that stand for theirs, in place.
func (d *divisions) merge(place int, domain Domain, tokens []token) {
	colours := make([]int64, len(domain))
	for i := range tokens {
		domain.Split(tokens[i].tuple, colours)
		tuple := int64(0)
		for k, x := range d.places[place] {
			tuple = tuple*domain[k].Size + x.of(colours[k])
		}
		tokens[i].tuple = tuple
	}
}

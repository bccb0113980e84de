package hoa

import (
	"fmt"
	"slices"

	"pnmc/automata"
	"pnmc/automata/bdd"
	"pnmc/internal/account"
	"pnmc/internal/bitset"
)

// Label expressions are brought to postfix form, which is evaluated with a stack: the
// depth of an expression costs no recursion, and an alias is one operand. Most labels
// of real files are sums of products already. They become cubes directly, in the order
// in which they were written. The others go through binary decision diagrams to an
// irredundant sum of products.
//
// For example, 0 & !1 | @a with the alias @a for 2 & 3 is, in postfix form, 0 1 not and @a or. The
// stack holds sums of cubes. It is {0}, then {0} {1}, then {0} {!1}, then {0 & !1}. Then the cubes
// of the alias come beside it, and "or" counts them as one sum: {0 & !1, 2 & 3}. That stays quick
// as long as a negation has one literal and a conjunction has one cube on one side. For !(0 & 1),
// or (0 | 1) & (2 | 3), the expression is evaluated again with diagrams.

const (
	// nestingBound is how deep parentheses and negations may nest
	// in labels.
	nestingBound = 2000
	// headerNestingBound is how deep parentheses may nest in a header: parity conditions
	// have one for each set. Recursion takes some kilobytes of stack for each, and naming
	// a condition time quadratic in it.
	headerNestingBound = 4000
	// functionNodes bounds the decision diagrams of one automaton's labels, and
	// the number of cubes of a label that needs them.
	functionNodes = 1 << 18
	// labelWords bounds the memory of one label: 32 MB.
	labelWords = 1 << 22
	// conjoinedCubes bounds the work on the conjunctions of a label before
	// decision diagrams are preferred.
	conjoinedCubes = 1 << 20
	// aliasWords bounds the cubes that are kept for an alias; a larger one is
	// used as a decision diagram.
	aliasWords = 1 << 14
)

// expressionOperator is what an instruction of a postfix expression does.
type expressionOperator uint8

const (
	pushTrue expressionOperator = iota
	pushFalse
	pushProposition // the operand's number, as in the file
	pushAlias       // the operand's index in labels.aliases
	applyNot
	applyAnd
	applyOr
)

// instruction is a step of an expression in postfix form: it pushes a function, or replaces the
// last one or two by the result of an operator.
type instruction struct {
	operator expressionOperator
	operand  int32
}

// alias is a name for a label expression.
type alias struct {
	name       string
	at         Position
	expression []instruction
	cubes      []uint64     // one after the other: a header for each would take more than short cubes do
	isLabel    bool         // cubes are valid: it needs no decision diagram
	function   bdd.Function // once it is among labels.evaluated
}

// labels turns the label expressions of one automaton into labels.
type labels struct {
	propositions int   // after names that occur twice were merged
	numbers      []int // the number of the file's propositions after merging
	aliases      []alias
	byName       map[string]int32

	functions *bdd.Functions // made when first needed
	evaluated int            // so many aliases have their function

	stack  []uint64 // cubes, one after the other
	counts []int    // of the cubes of each operand on the stack
	work   int      // cubes conjoined

	limit   func(bytes int) error // of the reader, or nil
	unasked int                   // bytes made since limit was asked
	full    error                 // what limit said
}

var errLabelTooLarge = error(labelTooLarge{})

// labelTooLarge is the error of a label that is beyond its limits.
type labelTooLarge struct{}

// Error returns the limits.
func (labelTooLarge) Error() string {
	return fmt.Sprintf("this label is too large: its sum of products has more than %d cubes or %d MB, or its decision diagram more than %d nodes",
		functionNodes, labelWords>>17, functionNodes)
}

// diagramBytes is about what diagrams grow by between two looks at their context.
const diagramBytes = 1 << 17

// bytesBetweenAsks is how much may be made, or copied, before the limit is asked: some tens of
// microseconds.
const bytesBetweenAsks = 1 << 16

// asked reports whether the limit allows to make or to copy so many bytes. It is asked for what has come
// together of small amounts, before the last of them is made.
func (l *labels) asked(bytes int) bool {
	if l.limit == nil || l.full != nil {
		return l.full == nil
	}
	if l.unasked += bytes; l.unasked >= bytesBetweenAsks {
		l.full = l.limit(l.unasked)
		l.unasked = 0
	}
	return l.full == nil
}

// hasRoom reports whether the limit allows to push so many words on the stack: it is asked for the
// time that takes, and for the memory if the stack has to grow.
func (l *labels) hasRoom(words int) bool {
	bytes := wordBytes * words
	if n := len(l.stack) + words; n > cap(l.stack) {
		bytes = wordBytes * (n + n/4)
	}
	return l.asked(bytes)
}

// evaluate returns the label of an expression; with no cubes where it is false. The error is
// errLabelTooLarge, or that of the limit.
func (l *labels) evaluate(expression []instruction) (automata.Label, error) {
	if l.sumOfProducts(expression, labelWords) {
		words := 2 * automata.WordsFor(l.propositions)
		if !l.asked(wordBytes*len(l.stack) + sliceBytes*l.counts[0]) {
			return nil, l.full
		}
		label := make(automata.Label, l.counts[0])
		cubes := slices.Clone(l.stack)
		for i := range label {
			label[i] = automata.Cube(cubes[i*words : (i+1)*words : (i+1)*words])
		}
		return label, nil
	}
	if l.full != nil {
		return nil, l.full
	}
	g, err := l.function(expression)
	if err != nil {
		return nil, err
	}
	label, err := l.functions.Label(g)
	if err != nil {
		return nil, l.tooLarge()
	}
	if len(label)*len(automata.NewCube(l.propositions)) > labelWords {
		return nil, errLabelTooLarge
	}
	return label, nil
}

// sliceBytes is what a slice takes beside its elements.
const sliceBytes = 24

// sumOfProducts evaluates an expression whose conjunctions and negations are simple enough to give
// at once cubes, of that many words at most, which are then on the stack; otherwise it returns false. It
// returns false, too, when the limit says no, which l.full then tells.
func (l *labels) sumOfProducts(expression []instruction, bound int) bool {
	words := 2 * automata.WordsFor(l.propositions)
	l.stack, l.counts, l.work = l.stack[:0], l.counts[:0], 0
	for _, i := range expression {
		if len(l.stack) > bound {
			return false
		}
		top := len(l.counts) - 1
		switch i.operator {
		case pushTrue:
			if _, ok := l.pushCube(words); !ok {
				return false
			}
		case pushFalse:
			l.counts = append(l.counts, 0)
		case pushProposition:
			at, ok := l.pushCube(words)
			if !ok {
				return false
			}
			p := l.numbers[i.operand]
			bitset.Add(l.stack[at:], p)
			bitset.Add(l.stack[at+words/2:], p)
		case pushAlias:
			a := &l.aliases[i.operand]
			if !a.isLabel || !l.hasRoom(len(a.cubes)) {
				return false
			}
			l.stack = append(l.stack, a.cubes...)
			l.counts = append(l.counts, len(a.cubes)/words)
		case applyNot:
			if !l.negate(words) {
				return false
			}
		case applyAnd:
			if !l.conjoin(words) {
				return false
			}
		case applyOr: // the operands lie one behind the other
			l.counts[top-1] += l.counts[top]
			l.counts = l.counts[:top]
		}
	}
	return true
}

// pushCube pushes the cube without literals and returns its offset. ok is false if the limit says no.
func (l *labels) pushCube(words int) (at int, ok bool) {
	if !l.hasRoom(words) {
		return 0, false
	}
	at = len(l.stack)
	for range words {
		l.stack = append(l.stack, 0)
	}
	l.counts = append(l.counts, 1)
	return at, true
}

// negate replaces the top of the stack by its negation, if it is a constant or a
// literal. It reports whether it did.
func (l *labels) negate(words int) bool {
	top := len(l.counts) - 1
	switch l.counts[top] {
	case 0:
		l.counts = l.counts[:top]
		_, ok := l.pushCube(words)
		return ok
	case 1:
		at := len(l.stack) - words
		c := automata.Cube(l.stack[at:])
		switch c.Literals() {
		case 0:
			l.counts[top], l.stack = 0, l.stack[:at]
			return true
		case 1:
			for i := range words / 2 {
				c[words/2+i] ^= c[i]
			}
			return true
		}
	}
	return false
}

// conjoin replaces the two tops of the stack by their conjunction, if one of them has
// at most one cube. It reports whether it did.
func (l *labels) conjoin(words int) bool {
	top := len(l.counts) - 1
	left, right := l.counts[top-1], l.counts[top]
	first := len(l.stack) - (left+right)*words
	many, one, n := first, first+left*words, left // offsets, and number of the many
	switch {
	case left == 0 || right == 0:
		n = 0
	case right == 1:
	case left == 1:
		many, one, n = first+words, first, right
	default:
		return false
	}
	if l.work += n; l.work > conjoinedCubes || !l.asked(2*wordBytes*words*n) {
		return false
	}
	// The cube is copied, since results overwrite it.
	cube := append(automata.Cube(nil), l.stack[one:min(one+words, len(l.stack))]...)
	to := first
	for i := range n {
		c := automata.Cube(l.stack[many+i*words : many+(i+1)*words])
		if !c.Intersects(cube) {
			continue
		}
		for j := range c {
			l.stack[to+j] = c[j] | cube[j]
		}
		to += words
	}
	l.stack = l.stack[:to]
	l.counts = append(l.counts[:top-1], (to-first)/words)
	return true
}

// function returns the Boolean function of an expression. When the diagrams of earlier
// labels, which aren't needed any more, leave no room, they are given up.
func (l *labels) function(expression []instruction) (bdd.Function, error) {
	if l.functions == nil {
		l.functions = bdd.New(l.propositions, functionNodes)
		if l.limit != nil {
			l.functions.Watch(account.Asking(l.limit, diagramBytes))
		}
	}
	before := l.functions.Nodes()
	g := l.apply(expression)
	if l.functions.Err() == bdd.ErrTooLarge && before > functionNodes/8 {
		l.forget()
		g = l.apply(expression)
	}
	if l.functions.Err() != nil || l.full != nil {
		return bdd.FalseFunction, l.tooLarge()
	}
	return g, nil
}

// tooLarge empties the diagrams, and returns why they ended: that of the limit, or errLabelTooLarge.
func (l *labels) tooLarge() error {
	err := l.functions.Err()
	l.forget()
	if l.full != nil {
		return l.full
	}
	if err != nil && err != bdd.ErrTooLarge {
		return err
	}
	return errLabelTooLarge
}

// forget empties the diagrams.
func (l *labels) forget() {
	l.functions.Reset()
	l.evaluated = 0
}

// apply evaluates an expression on functions. Aliases are evaluated in their
// order as far as is needed: those in an alias come before it, so that this
// needs no recursion.
func (l *labels) apply(expression []instruction) bdd.Function {
	for _, i := range expression {
		for i.operator == pushAlias && l.evaluated <= int(i.operand) && l.full == nil {
			a := &l.aliases[l.evaluated]
			a.function = l.run(a.expression)
			l.evaluated++
		}
	}
	return l.run(expression)
}

// operandBytes is what run makes of an operand of an expression.
const operandBytes = 100

// run evaluates an expression all aliases of which have their function.
func (l *labels) run(expression []instruction) bdd.Function {
	f := l.functions
	if !l.asked(operandBytes * len(expression)) {
		return bdd.FalseFunction
	}
	var stack []chain
	for _, i := range expression {
		top := len(stack) - 1
		switch i.operator {
		case pushTrue:
			stack = append(stack, chain{list: []bdd.Function{bdd.TrueFunction}})
		case pushFalse:
			stack = append(stack, chain{list: []bdd.Function{bdd.FalseFunction}})
		case pushProposition:
			stack = append(stack, chain{list: []bdd.Function{f.Proposition(l.numbers[i.operand])}})
		case pushAlias:
			stack = append(stack, chain{list: []bdd.Function{l.aliases[i.operand].function}})
		case applyNot:
			stack[top] = chain{list: []bdd.Function{f.Not(stack[top].function(f))}}
		case applyAnd, applyOr:
			stack[top-1].join(f, i.operator, stack[top].function(f))
			stack = stack[:top]
		}
	}
	return stack[0].function(f)
}

// chain is a list of operands of one operator, combined when the last is known: one
// after the other, thousands would make decision diagrams of quadratic size.
type chain struct {
	operator expressionOperator // of two operands or more
	list     []bdd.Function
}

// join adds an operand.
func (c *chain) join(f *bdd.Functions, by expressionOperator, g bdd.Function) {
	if c.operator != by && len(c.list) > 1 {
		c.list = append(c.list[:0], c.function(f))
	}
	c.operator = by
	c.list = append(c.list, g)
}

// function returns what the chain stands for.
func (c *chain) function(f *bdd.Functions) bdd.Function {
	if c.operator == applyOr {
		return f.Any(c.list...)
	}
	return f.All(c.list...)
}

// define adds an alias; names in expressions can then refer to it. It returns what the limit says.
func (l *labels) define(name string, at Position, expression []instruction) error {
	a := alias{name: name, at: at, expression: expression}
	if len(expression) == 1 && expression[0].operator == pushAlias { // another name for it
		other := &l.aliases[expression[0].operand]
		a.cubes, a.isLabel = other.cubes, other.isLabel
	} else if a.isLabel = l.sumOfProducts(expression, aliasWords); a.isLabel && l.asked(wordBytes*len(l.stack)) {
		a.cubes = slices.Clone(l.stack)
	}
	if l.byName == nil {
		l.byName = make(map[string]int32)
	}
	l.byName[name] = int32(len(l.aliases))
	l.aliases = append(l.aliases, a)
	return l.full
}

package query

import "pnmc/internal/lazy"

// Kind is what a node of a Formula says. It has Boolean kinds of its own beside those of
// logic.Operator, as a Formula has one node for each element of its file and prints back as it
// came. Elements are of more sorts than logic.Operator has: numbers, comparisons in both
// directions, and those of early contests. A Resolver goes from one to the other.
type Kind uint8

// The kinds of nodes: temporal, Boolean, comparing, integer, and legacy ones.
const (
	AllPaths Kind = iota
	ExistsPath
	Globally
	Finally
	Next
	Until
	Negation
	Conjunction
	Disjunction
	ExclusiveDisjunction
	Implication
	Equivalence
	Constant
	Fireable
	Deadlock
	Live
	LessOrEqual
	Less
	GreaterOrEqual
	Greater
	EqualTo
	NotEqual
	Integer
	Tokens
	Sum
	Difference
	Product
	Division
	Bound
	Invariant
	Impossibility
	Possibility
)

// Formula is a formula as a property file has it: unresolved, with the names of
// the file, so that it prints back as it came.
type Formula struct {
	Kind     Kind
	Operands []*Formula // Until: first what holds before, then what is reached
	Names    []string   // Fireable, Live: transitions; Tokens, Bound: places
	Value    int64      // Integer; Constant: 1 for true; Live: the level 0 to 4
	// Weak, of an Until, lets "before" hold for ever instead of reaching.
	Weak bool
	// Steps, of a Next, is how many steps it takes, if not 1.
	Steps int
	// NoSuccessor, of a Next, is its truth in a deadlock, if the file says it.
	NoSuccessor *bool

	ordinal int // number of the element in its document, for positions
}

// Property is one property of a file.
type Property struct {
	ID          string // to be repeated verbatim in the answer
	Description string // may be empty
	Formula     *Formula
	Logic       Logic

	origin  *origin // nil if it was not read
	ordinal int
}

// operandSort is what the content of an element must be.
type operandSort uint8

const (
	noContent operandSort = iota
	booleans
	integers
	placeNames
	transitionNames
	special // read and written by code of its own
)

// element describes one element of the grammar: its name, its kind, what it
// yields, what it holds, and how often.
type element struct {
	name     string
	kind     Kind
	integer  bool // it is an integer expression
	operands operandSort
	min, max int // number of operands; max 0: no limit
	legacy   bool
	infix    string // how the text form writes it between operands
}

// elements is the grammar of formulas. Where an element has several names the
// first is the one that is written.
//
// So the reader, the printer and the checks of operands need no list of their own. For example, a
// conjunction has one operand or more, which are Boolean, and is written as & between them. The
// legacy element called "and" is read like it, and is never written.
var elements = []element{
	{name: "all-paths", kind: AllPaths, operands: booleans, min: 1, max: 1},
	{name: "exists-path", kind: ExistsPath, operands: booleans, min: 1, max: 1},
	{name: "globally", kind: Globally, operands: booleans, min: 1, max: 1},
	{name: "finally", kind: Finally, operands: booleans, min: 1, max: 1},
	{name: "next", kind: Next, operands: special, min: 1, max: 1},
	{name: "until", kind: Until, operands: special, min: 2, max: 2, infix: "U"},
	{name: "negation", kind: Negation, operands: booleans, min: 1, max: 1},
	{name: "not", kind: Negation, operands: booleans, min: 1, max: 1, legacy: true},
	{name: "conjunction", kind: Conjunction, operands: booleans, min: 1, infix: "&"},
	{name: "and", kind: Conjunction, operands: booleans, min: 1, legacy: true},
	{name: "disjunction", kind: Disjunction, operands: booleans, min: 1, infix: "|"},
	{name: "or", kind: Disjunction, operands: booleans, min: 1, legacy: true},
	{name: "exclusive-disjunction", kind: ExclusiveDisjunction, operands: booleans, min: 2, max: 2, legacy: true, infix: "xor"},
	{name: "implication", kind: Implication, operands: booleans, min: 2, max: 2, legacy: true, infix: "->"},
	{name: "equivalence", kind: Equivalence, operands: booleans, min: 2, max: 2, legacy: true, infix: "<->"},
	{name: "true", kind: Constant, operands: noContent, legacy: true},
	{name: "false", kind: Constant, operands: noContent, legacy: true},
	{name: "is-fireable", kind: Fireable, operands: transitionNames, min: 1},
	{name: "deadlock", kind: Deadlock, operands: noContent},
	{name: "is-deadlock", kind: Deadlock, operands: noContent, legacy: true},
	{name: "is-live", kind: Live, operands: special, min: 1, legacy: true},
	{name: "integer-le", kind: LessOrEqual, operands: integers, min: 2, max: 2, infix: "<="},
	{name: "integer-lt", kind: Less, operands: integers, min: 2, max: 2, legacy: true, infix: "<"},
	{name: "integer-ge", kind: GreaterOrEqual, operands: integers, min: 2, max: 2, legacy: true, infix: ">="},
	{name: "integer-gt", kind: Greater, operands: integers, min: 2, max: 2, legacy: true, infix: ">"},
	{name: "integer-eq", kind: EqualTo, operands: integers, min: 2, max: 2, legacy: true, infix: "="},
	{name: "integer-ne", kind: NotEqual, operands: integers, min: 2, max: 2, legacy: true, infix: "!="},
	{name: "integer-constant", kind: Integer, integer: true, operands: special},
	{name: "tokens-count", kind: Tokens, integer: true, operands: placeNames, min: 1},
	{name: "integer-sum", kind: Sum, integer: true, operands: integers, min: 1, infix: "+"},
	{name: "integer-difference", kind: Difference, integer: true, operands: integers, min: 1, infix: "-"},
	{name: "integer-product", kind: Product, integer: true, operands: integers, min: 1, legacy: true, infix: "*"},
	{name: "integer-division", kind: Division, integer: true, operands: integers, min: 2, max: 2, legacy: true, infix: "/"},
	{name: "place-bound", kind: Bound, integer: true, operands: placeNames, min: 1},
	{name: "invariant", kind: Invariant, operands: booleans, min: 1, max: 1, legacy: true},
	{name: "impossibility", kind: Impossibility, operands: booleans, min: 1, max: 1, legacy: true},
	{name: "possibility", kind: Possibility, operands: booleans, min: 1, max: 1, legacy: true},
}

// elementTables finds elements by their name and by their kind.
type elementTables struct {
	byName map[string]*element
	byKind map[Kind]*element
}

var tables = lazy.Value[elementTables]{Make: func() elementTables {
	byName, byKind := make(map[string]*element), make(map[Kind]*element)
	for i := range elements {
		e := &elements[i]
		byName[e.name] = e
		if byKind[e.kind] == nil {
			byKind[e.kind] = e
		}
	}
	return elementTables{byName, byKind}
}}

// elementByName returns nil for an unknown name.
func elementByName(name string) *element { return tables.Get().byName[name] }

// elementByKind returns the first element of a kind.
func elementByKind(kind Kind) *element { return tables.Get().byKind[kind] }

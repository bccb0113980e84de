package symmetric

import (
	"slices"
	"strconv"
	"strings"
)

// Class is a basic colour class: Size colours, numbered from 0 in the order of
// their declaration, which comparisons go by.
type Class struct {
	Name string
	Size int64
	// Constants are the colours' names; nil for a range of integers, whose
	// first is Start.
	Constants []string
	Start     int64
	// Cyclic: the first colour succeeds the last.
	Cyclic bool
}

// Colour returns the name of the colour with number i.
func (c *Class) Colour(i int64) string {
	if c.Constants == nil {
		return strconv.FormatInt(c.Start+i, 10)
	}
	return c.Constants[i]
}

// Number returns the number of the colour with that name, if the class has one.
func (c *Class) Number(name string) (i int64, known bool) {
	if c.Constants != nil {
		at := slices.Index(c.Constants, name)
		return int64(at), at >= 0
	}
	value, err := strconv.ParseInt(name, 10, 64)
	known = err == nil && value >= c.Start && value-c.Start < c.Size && strconv.FormatInt(value, 10) == name
	return value - c.Start, known
}

// Domain is what the tokens of a place are: tuples of colours, one of each
// class. The empty domain has one colour, the dot of uncoloured tokens.
//
// A tuple has a number, of which its colours are the digits, the first being the most significant.
// Over classes of 3 and 4 colours the tuple (2, 1) has the number 2·4 + 1 = 9.
type Domain []*Class

// Size returns the number of tuples; whoever makes a net keeps it below 2^62.
func (d Domain) Size() int64 {
	size := int64(1)
	for _, class := range d {
		size *= class.Size
	}
	return size
}

// Split puts the colours of the tuple with the given number into colours.
func (d Domain) Split(tuple int64, colours []int64) {
	for i := len(d) - 1; i >= 0; i-- {
		colours[i] = tuple % d[i].Size
		tuple /= d[i].Size
	}
}

// Colours returns the names of the colours of the tuple with the given number.
func (d Domain) Colours(tuple int64) []string {
	colours := make([]int64, len(d))
	d.Split(tuple, colours)
	names := make([]string, len(d))
	for i, class := range d {
		names[i] = class.Colour(colours[i])
	}
	return names
}

// TermKind is one of the kinds of terms.
type TermKind uint8

// The kinds of terms.
const (
	Constant TermKind = iota // the colour Value
	Variable                 // the colour of a variable, Value steps on in a cyclic class
	All                      // each colour of the class, in multisets only
)

// Term stands for a colour, once variables are bound.
type Term struct {
	Kind     TermKind
	Variable int   // index in the transition's Variables
	Value    int64 // Constant: the colour; Variable: 0 ≤ steps < size of the class
}

// Colour returns the colour of a constant or variable of the given class.
func (t Term) Colour(class *Class, binding []int64) int64 {
	if t.Kind == Constant {
		return t.Value
	}
	if sum := binding[t.Variable] + t.Value; sum < class.Size {
		return sum
	} else {
		return sum - class.Size
	}
}

// Monomial is Coefficient times a tuple of terms, one for each class of the
// place's domain; a term All stands for the sum over its class.
type Monomial struct {
	Coefficient int64 // not 0
	Terms       []Term
}

// Expression is a sum of monomials: the multiset that an arc moves, or a marking.
type Expression []Monomial

// VariableDeclaration is a variable of a transition; it ranges over Class.
type VariableDeclaration struct {
	Name  string
	Class *Class
}

// Place is a coloured place. Initial has no variables.
type Place struct {
	ID, Name string
	Domain   Domain
	Initial  Expression
}

// Arc connects a transition, known from the context, with the place of that
// index.
type Arc struct {
	Place      int
	Expression Expression
}

// Inhibitor lets a transition, known from the context, fire only while the place of that
// index has fewer than Weight tokens. Tokens of all colours count together, whatever the
// binding is. (So it is in TAPAAL.) Weight is positive.
type Inhibitor struct {
	Place  int
	Weight int64
}

// Transition is a coloured transition: it fires once its variables are bound to
// colours such that Guard holds. A nil Guard always does.
type Transition struct {
	ID, Name   string
	Variables  []VariableDeclaration
	Guard      *Guard
	Pre, Post  []Arc
	Inhibitors []Inhibitor
}

// allows reports whether places that have so many tokens, of all colours, let t fire.
func (t *Transition) allows(sums []int64) bool {
	for _, i := range t.Inhibitors {
		if sums[i.Place] >= i.Weight {
			return false
		}
	}
	return true
}

// Net is a symmetric net.
type Net struct {
	ID, Name    string
	Places      []Place
	Transitions []Transition
}

// Binding returns the colours of t's variables in words, as in "x=1,y=red".
func (t *Transition) Binding(colours []int64) string {
	var b strings.Builder
	for i, v := range t.Variables {
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteString(v.Name)
		b.WriteByte('=')
		b.WriteString(v.Class.Colour(colours[i]))
	}
	return b.String()
}

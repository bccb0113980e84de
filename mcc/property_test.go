package mcc

import (
	"pnmc/query"
)

// Tests write properties as trees.
type (
	Formula     = query.Formula
	Kind        = query.Kind
	Property    = query.Property
	UnreadError = query.UnreadError
)

const (
	AllPaths    = query.AllPaths
	ExistsPath  = query.ExistsPath
	Globally    = query.Globally
	Finally     = query.Finally
	Next        = query.Next
	Until       = query.Until
	Negation    = query.Negation
	Conjunction = query.Conjunction
	Disjunction = query.Disjunction
	Constant    = query.Constant
	Fireable    = query.Fireable
	LessOrEqual = query.LessOrEqual
	Integer     = query.Integer
	Tokens      = query.Tokens
	Sum         = query.Sum
	Bound       = query.Bound
)

var (
	ReadProperties = query.ReadContest
	WriteXML       = query.WriteXML
	Nested         = query.Nested
)

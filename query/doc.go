// Package query reads questions about nets in XML: the property files of the Model
// Checking Contest, and TAPAAL's queries, which have the same form.
//
// In comes the text of a file. Out come properties as the file has them, with names and
// positions, so they print back as they came. A Resolver turns them into the formulas of
// package logic, over the places and transitions of a net. It is for packages mcc and
// main, and decides nothing.
//
// The grammar is that of the contest's property manual, with the elements that the files
// of its first years have.
//
//	read.go, length.go         from the text to properties, and how long its tokens may be
//	damaged.go                 what is left of a file that was cut or changed
//	ids.go                     what properties are called, of a file of any length
//	formula.go, kind.go        what a formula is made of, and which logic it belongs to
//	position.go                where in the file something is
//	resolve.go, temporal.go    formulas over the places and transitions of a net
//	print.go                   properties as text, and as XML
package query

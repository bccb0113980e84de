// Package inquiry has questions about nets, and their answers.
//
// In come a Problem, which is a net with or without colours, and Questions about it. Out
// come Answers: a typed Value, the Techniques that found it, and a Witness. Package checker
// takes the questions and has the same names for all of them. So its users need not import
// this package; the engines in the rooms below checker do.
//
// A Vocabulary says what the names in a formula stand for: the places and transitions of the
// problem's net.
package inquiry

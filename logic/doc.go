// Package logic holds formulas: state predicates over markings, and the
// temporal logics above them.
//
// In comes text: the name of an atomic proposition in an automaton, a line of a
// file, a formula on the command line. Out go trees in which places and
// transitions are dense numbers, resolved against a Vocabulary; package checker
// compiles them into the labels of a Kripke structure.
//
// ParsePredicate reads propositions and Predicate.Text writes them;
// ReadPropositions reads a file that names them. FormulaParser reads formulas of
// linear temporal logic, in the syntax of Spot, SPIN or LBT, and Formulas.Text
// writes them; their propositions are names, and it is the caller who says what
// a name may be. CTLParser reads formulas of CTL, with the state predicates in
// them, and CTL.Text writes them. Whatever is wrong with a text is a SyntaxError
// with the place of the first character that does not fit, and what was expected
// there.
package logic

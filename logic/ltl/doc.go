// Package ltl holds formulas of linear temporal logic.
//
// In comes text in the syntax of Spot, SPIN or LBT. Out go formulas as nodes of a directed
// acyclic graph, each kept once by its Formulas. Their propositions are names, and it is
// the caller who says what a name may be. Package automata/translate makes automata of
// them, and package checker asks them of nets.
//
//	parse, lexer, word, grammar, lbt, build   text to formulas (Parser)
//	proposition, file                          propositions in text; files of formulas (Read)
//	text                                       formulas to text
//	formula, make, import                      the graph, and its normal forms
//	traits                                     what is plain from the shape: eventual, universal, safety, …
//	satisfaction                               the truth of a formula on an ultimately periodic word
//
// Package rewrite makes simpler formulas with the same runs.
//
// The shapes follow Manna, Pnueli, "A hierarchy of temporal properties" (PODC 1990).
package ltl

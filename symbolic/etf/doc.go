// Package etf reads and writes LTSmin's enumerated table format.
//
// In comes the text of a model whose states are vectors of integers and whose
// transitions are rows of a table: for each variable a value before and after,
// or a star where the row says nothing. Out goes a Model, which package symbolic
// explores as a System, or a net with a place for each value; a net whose state space is
// known becomes a Model too.
//
// For example, two variables, of which x counts up to 2 and y remembers that x was 1:
//
//	begin state
//	x:int y:bool
//	end state
//	begin edge
//	action:action
//	end edge
//	begin init
//	0 0
//	end init
//	begin trans
//	0/1 * 0
//	1/2 0/1 1
//	end trans
//	begin sort action
//	"count"
//	"remember"
//	end sort
//
// The first row is possible if x is 0, makes it 1, does not look at y, and has the label 0,
// "count". The second is possible in the state (1, 0) and leads to (2, 1).
//
// The format is the one that "Symbolic Model Checking of Stutter-Invariant
// Properties Using Generalized Testing Automata" (Ben Salem, Duret-Lutz, Kordon,
// Thierry-Mieg, 2014), section 4.2, starts from.
package etf

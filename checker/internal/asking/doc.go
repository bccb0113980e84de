// Package asking puts questions to a task. In come questions as the user asked them. Out come,
// on the task's ledger, atoms, formulas of CTL, and formulas and automata of linear time. They
// are over the nodes of the task's net, and simplified by what is proven of it. Questions that
// the initial marking settles are answered at once. Engines decide the rest.
//
// What becomes of each question:
//
//	Question        atoms                         the answer
//	Reachable p     p                             whether the atom is reached
//	Invariant p     ¬p                            false if it is reached, true if it cannot be
//	Bound s         the largest value of s        that value
//	Deadlock        dead                          whether it is reached; false if something fires at
//	                                              first, and after each firing
//	OneSafe         each place p: p ≥ 2           false if one is reached, true if none can be
//	StableMarking   each place p: p ≠ its tokens  true if one cannot be reached, false if all
//	                in the initial marking        are
//	QuasiLive       each transition: fireable     false if one cannot be reached, true if all are
//	Live            the same, and dead            false if a transition can never fire, or if dead
//	                                              is reached; true if all fire and each firing can be
//	                                              undone; otherwise engines answer
//	Branching       each EF p and AG p in it      what is left of the formula if their values are
//	                                              put in, as far as that is known
//	Linear          for G p: ¬p; otherwise none   for G p as for Invariant p
//	Automaton       what accepted runs need       true if one cannot be reached
//	Size            none                          what Sizes reports
//
// The files:
//
//	parts, divided, check     questions that are decided together, and what is wrong with some
//	put, room                 what becomes of a question, and the memory it takes
//	places, branching         those about nodes, and formulas of CTL
//	linear, automaton,
//	implied                   those of linear time, and what they imply
//
// Where the atoms do not answer a question of Live, Branching, Linear or Automaton, engines for its
// logic decide it as a whole.
package asking

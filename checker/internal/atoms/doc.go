// Package atoms has the engines that decide atoms: whether a marking with a goal is reachable,
// and the largest value of a sum. They try place invariants, the state equation, all markings
// of a reduced net, walks, decision diagrams, and another program that solves linear arithmetic, for all atoms together or for one at a time.
// In comes a task, out come reports to its ledger; package checker calls the engines by its
// plans.
//
//	engine          works on                         shows that         may prove
//	                                                 goals are reached  that they cannot be
//	Invariants      the original net                 no                 yes
//	Equation        the net reduced for all atoms    no                 yes
//	Graph           the net reduced for all atoms    yes                yes
//	Walks           the net reduced for all atoms    yes                no
//	Diagrams        the net reduced for all atoms    yes                yes
//	Induction       the net reduced for one atom     yes                yes
//	OneByOne        the net reduced for one atom,    yes                yes
//	                by Equation and Graph
//	OnDisk          the net reduced for open atoms   yes                yes
//	WalksOneByOne   the net reduced for one atom     yes                no
//
// Where the state equation does not refute a goal, its solutions are left with the reduced net, and lead
// walks there. WalksOneByOne asks it for them itself.
//
// For the largest value of a sum, "reached" is a value from below, and "proved" a bound from above.
//
// What is reached on a reduced net is shown by a run of the original one. If such a run is too long
// to be written down, the goal stays open here, unless the engine knows the value without it. The
// ledger replays every run. Several atoms share a reduced net, so its places have to include those
// of all goals. The net for one atom alone is often much smaller, but has to be made each time.
package atoms

// Package stubborn chooses in each marking a part of the enabled transitions whose firing
// suffices to answer a question: a stubborn set (Valmari, "Stubborn sets for reduced state
// space generation", 1989). In comes a net with a question: deadlocks, goals, or which places
// a temporal formula looks at. Out comes a petri.Selection, which petri.Kripke.Select has
// applied to each marking; package checker/reachability and the products of checker/product
// explore what is left.
//
// # What makes a set stubborn
//
// Let T be a set of transitions, enabled or not, in a marking m. Two rules are common to all
// questions. They speak of places that a transition lowers: firing it leaves fewer tokens there,
// weights and loops taken together, and of places that it raises. A transition that puts back what it
// takes only reads the place: it neither lowers nor raises it.
//
//   - Of each disabled t in T, some place p of its pre-set has too few tokens, and all
//     transitions that raise p are in T. So t stays disabled while others fire.
//   - With each enabled t in T, all transitions that take from or read a place that t lowers
//     are in T. So t disables none of the others.
//
// The two rules make transitions of T movable to the front of a run. Take a run from m up to its
// first transition t of T: it is w t, where w has no transition of T. Then t is enabled in m, as
// nothing in w could have enabled it. And t w is a run to the same marking, as t disables nothing in
// w (rule W of Bønneland, Jensen, Larsen, Muñiz and Srba, "Stubborn versus structural reductions
// for Petri nets", 2019). This also holds where places are unbounded.
//
// For example, let t move a token from p to q, and u one from r to s. {t} is stubborn: no other
// transition takes from p. So u t may be replaced by t u, and it is enough to fire t first. If a
// third transition v takes from p too, t disables it, and v has to be in T with t.
//
// # Inhibitor arcs, reset arcs, capacities
//
// A place with an inhibitor arc of weight w to t is a ceiling of t: it must have fewer than w tokens. So
// is a place with a capacity, for each transition that adds to it. The rules grow by what follows;
// inhibitor arcs are as in the paper above.
//
//   - A disabled t in T may name a ceiling instead that is reached. Then all transitions that lower
//     that place are in T. One that empties a place lowers it.
//   - With each enabled t in T, all transitions that have a ceiling at a place that t raises are in T,
//     and all that empty a place that t raises or lowers. If t empties a place itself, all that take from it,
//     read it, raise or lower it are in T.
//
// Let w t be a run as above. t is enabled in m, by the first rule. After t, each u of w finds what it
// did without t, but where t changes the place. If t lowers it, u neither takes from it nor reads it. If t
// raises it, u has no ceiling there. So u is enabled. If neither of both empties the place, what they
// add comes together in either order. If t empties it, u leaves it alone, and if u empties it, t
// does, or t only reads it. So t w leads to the same marking.
//
// # Rings
//
// A place invariant with value 1 says that of its places one has a token. If facts have such
// invariants, T may be smaller (rings.go). A disabled t that waits for p of such a ring, while the token is
// on q, may ask for those that lower q, or for a set of transitions one of which has to fire before
// the token comes to p. And an enabled t need not ask for u if u takes from p, and t from q, of one
// ring, where the token stays on q as long as no transition of T fires: because t lowers q, or by
// the third rule for deadlocks below. For let w be without T, and u the first in w that t was spared to ask
// for. Up to there nobody took the token from q, since who does so is in T, or was spared as well. So
// p is empty, and u is not enabled. Facts hold in all reachable markings, and so does this.
//
// # Goals
//
// A goal that does not hold in m needs a transition that brings it nearer. These are interesting:
//
//   - for a sum that has to grow, all transitions that raise it,
//   - for a conjunction, those of one operand that does not hold,
//   - for a disjunction, those of every operand,
//   - for a deadlock, those that take from one enabled transition what it needs, or raise a place
//     that is a ceiling of it.
//
// If T has all of them, each run to the goal has one of them, and its first transition of T may be
// fired first. The rest of the run is one step shorter. So the goal is found as near as without T
// (closure.go, goal.go). No transition can be ignored for ever, and nothing is to be done about
// cycles.
//
// # Deadlocks, and linear time without next
//
// Here T gets a third rule:
//
//   - With each enabled t in T, all transitions that lower a place of its pre-set are in T, and
//     all that raise a ceiling of it. So the others can't disable t.
//
// A set with an enabled transition then keeps all deadlocks: one can't be reached without a
// transition of T. For temporal formulas without next, all enabled transitions of T must be
// invisible: they change no place that the formula looks at, and empty none. Otherwise all transitions are
// fired. Then for each run, a run with the same labels, up to repetition, is left. These are
// the ample sets of Peled, "Combining partial order reductions with on-the-fly model checking",
// 1994; see also Valmari and Hansen, "Stubborn set intuition explained", 2017. It needs one
// more condition: no transition is ignored for ever. petri.Kripke.Select with acyclic ensures
// that: on each cycle some state fires everything.
//
// The choice of what to fire depends on the marking only, not on the state of an automaton
// beside it. So the reduced graph is one Kripke structure with the same stuttering, and
// agrees with every automaton whose language is closed under stuttering, on runs that end
// in a deadlock, too. Sets of this kind that also look at the automaton's state are smaller, but
// need automata of a special form (Siegel, "What's wrong with on-the-fly partial order
// reduction", 2019).
//
// # Automata that wait
//
// There is one exception that needs no special form, and no language closed under stuttering. In a
// state whose loops are not accepted by themselves, an automaton waits for a marking where it may go
// on. That marking is a goal, and a set for goals suffices (waiting.go): it keeps the length of each
// way to it, and all that follows. Package checker/product uses it for formulas with next.
//
// The rules span a graph: an edge leads from a transition to each one that it asks for. A smallest
// set with an enabled transition is what can be reached from one strongly connected component of
// this graph: one that has enabled transitions, and leads to no other that has any. Tarjan's
// algorithm finds it (component.go). Places are nodes, too, which stand for many transitions around
// them: so a marking costs at most about the arcs of the net. A search that costs much more than firing
// all that is enabled is given up, and all is fired, which is always right.
package stubborn

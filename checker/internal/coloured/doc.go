// Package coloured decides questions about coloured nets. It unfolds the net, and hands the
// unfolded one to the portfolio's plans. Before that, and beside it, it examines the net as it
// is.
//
// The skeleton is the net without colours. If something is impossible in the skeleton, it is
// impossible in the coloured net, too. Temporal questions go to a skeleton that may stop at
// any time: if something holds for all its runs, it holds for the coloured ones. Random runs
// of the coloured net reach goals and refute formulas; they are replayed by the definition of
// firing. In come a task and questions, out come reports to its ledger.
//
// The files:
//
//	solver, unfolding, start the plan: what is examined when; the unfolding; where searches start
//	approximation, simplify  what the skeleton shows of predicates
//	folded                   questions that need no unfolding
//	temporal                 temporal formulas on the stoppable skeleton
//	walk, present, pace      random runs for goals, the marking where they are, and what they cost
//	runs                     random runs for temporal questions
package coloured

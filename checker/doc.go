// Package checker answers questions about Petri nets. It is the portfolio: engines race on
// each question, and the first that is sure answers it.
//
// In come a Problem, which is a net with or without colours, and questions: whether a
// marking is reachable or a predicate invariant, the bound of a sum, formulas of CTL and of
// linear temporal logic, automata, deadlocks, liveness, sizes of the state space. Out come
// answers: a typed Value, the Techniques that found it, and a Witness, which is a run of the
// problem's own net that code apart from the engines has replayed, or the kind of proof. The
// package reads no files, and prints nothing.
//
// CheckLTL, CheckCTL and Ask answer one question in one call:
//
//	net, err := pnml.ReadFile("net.pnml", pnml.Options{})
//	if err != nil {
//		return err
//	}
//	answer, err := checker.CheckLTL(ctx, inquiry.Problem{Net: net}, `G("p1>=2" -> F fireable(t3))`)
//	if err != nil {
//		return err // of the formula, or of the problem
//	}
//	fmt.Println(answer.Value, answer.By) // such as: false RANDOM_WALK
//	for _, step := range answer.Witness.Run {
//		fmt.Println(net.TransitionLabel(step.Transition).ID)
//	}
//
// New makes a Solver, which answers many about one net: what it learns for one serves the
// next. properties.Bind makes a question of an automaton that comes from package hoa.
//
// The files: solver, task and schedule share out time and memory; ask puts questions; kept
// is what later questions find; ledger takes answers in. coloured looks at coloured nets
// before they are unfolded; linear, branching, graphs and diagrams put the engines of the
// rooms below to work on what is asked.
//
// The rooms, each for one kind of question:
//
//	inquiry        questions and answers, of which this package has the names
//	properties     what automata and propositions mean of a net; verdicts and figures
//	witness        runs and lassos, and their replay on the net; imports no engine
//	product        a net and an automaton at once: BA, TGBA, TA and TGTA, the papers' approaches
//	reachability   goals, walks, liveness
//	stateequation  what the state equation and traps rule out
//	branching      formulas of CTL on the state graph, and their witnesses
//	diagram        questions on decision diagrams
//	internal/lanes    engines that take turns where threads are bounded
//	internal/turns    slices of time that grow, for what is open
//	internal/rephrase state predicates in the words of an engine
package checker

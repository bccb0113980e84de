// Package checker answers questions about Petri nets. It is the portfolio: engines race on
// each question, and the first that is sure answers it.
//
// In come a Problem, which is a net with or without colours, and questions. Questions are
// about reachable markings, invariants, bounds of sums, formulas of CTL and of linear
// temporal logic, automata, deadlocks, liveness, and sizes of the state space. Out come
// answers: a typed Value, the Techniques that found it, and a Witness. A Witness is the
// kind of proof, or a run of the problem's own net; code apart from the engines has
// replayed it. The package reads no files, and prints nothing.
//
// CheckLTL, CheckCTL and Ask answer one question in one call:
//
//	net, err := pnml.Reader{}.ReadFile("net.pnml")
//	if err != nil {
//		return err
//	}
//	answer, err := checker.CheckLTL(ctx, checker.Problem{Net: net}, `G("p1>=2" -> F fireable(t3))`)
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
// Problem, Answer, Witness and the questions are types of package inquiry. "go doc
// pnmc/checker/inquiry Witness" lists fields and methods; here "go doc" shows none, since the
// types are aliases.
//
// The files: solver shares out time and memory, schedule has the plans of engines, one_call
// the faces above, and api the names of package inquiry.
//
// A question goes its way through the rooms of checker/internal:
//
//	asking    puts it to a task, as atoms, formulas and automata over the task's net
//	core      has the task, with what engines share, and runs the plan
//	atoms, tree, linear, liveness, sizes  are the engines, by what they decide
//	coloured  unfolds coloured nets, and examines them as they are
//	ledger    takes in what engines find, replays runs, and gives the answer
//	runs, bounds, rephrase  judge runs, bound sums, say predicates in other words
//	turns, lanes            share out time and threads
//
// The packages below decide one kind of question each, and can be used alone:
//
//	inquiry        questions and answers, of which this package has the names
//	properties     what automata and propositions mean of a net; verdicts and figures
//	witness        runs and lassos, and their replay on the net; imports no engine
//	product        a net and an automaton at once: BA, TGBA, TA and TGTA, the papers' approaches
//	walk           walks towards goals, random runs, dead ends
//	reachability   goals and liveness, by all markings
//	stateequation  what the state equation and traps rule out
//	induction      invariants and runs that an SMT solver finds, certified and replayed
//	branching      formulas of CTL on the state graph, and their witnesses
//	diagram        questions on decision diagrams
package checker

package checker_test

import (
	"context"
	"fmt"
	"io"
	"os"

	"pnmc/checker"
	"pnmc/checker/properties"
	"pnmc/hoa"
	"pnmc/logic"
	"pnmc/pnml"
)

// A formula of linear temporal logic, in one call.
func ExampleCheckLTL() {
	net, err := pnml.Reader{}.ReadFile("../testdata/philosophers.pnml")
	if err != nil {
		fmt.Println(err)
		return
	}
	answer, err := checker.CheckLTL(context.Background(), checker.Problem{Net: net}, `G !(eats0 & eats1)`)
	fmt.Println(answer.Value, err)
	// Output: true <nil>
}

// A formula of CTL: from some marking on, philosopher 0 can't eat again. The witness leads
// there.
func ExampleCheckCTL() {
	net, err := pnml.Reader{}.ReadFile("../testdata/philosophers.pnml")
	if err != nil {
		fmt.Println(err)
		return
	}
	answer, err := checker.CheckCTL(context.Background(), checker.Problem{Net: net}, "AG EF eats0 >= 1")
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(answer.Value)
	m := net.Initial()
	for _, t := range answer.Witness.Branches[0].Prefix {
		net.Fire(m, t)
	}
	left, _ := net.PlaceByID("left0")
	right, _ := net.PlaceByID("right0")
	fmt.Println("philosopher 0 waits with one fork:", m[left]+m[right] == 1)
	// Output:
	// false
	// philosopher 0 waits with one fork: true
}

// Automata of negated properties, as translators write them.
func ExampleAsk() {
	net, err := pnml.Reader{}.ReadFile("../testdata/philosophers.pnml")
	if err != nil {
		fmt.Println(err)
		return
	}
	file, err := os.Open("../testdata/philosophers.hoa")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer file.Close()
	problem := checker.Problem{Net: net}
	for reader := hoa.NewReader(file, "philosophers.hoa"); ; {
		automaton, err := reader.Read()
		if err == io.EOF {
			return
		}
		if err != nil {
			fmt.Println(err)
			return
		}
		property, err := properties.Bind(automaton, problem.Vocabulary(), nil)
		if err != nil {
			fmt.Println(err)
			return
		}
		answer, err := checker.Ask(context.Background(), problem, checker.Automaton{Property: property})
		fmt.Println(automaton.Name+":", answer.Value, err)
	}
	// Output:
	// neighbours never eat together: true <nil>
	// there is no deadlock: false <nil>
	// who has the left fork will eat: false <nil>
	// if two eat again and again, so does the third: false <nil>
	// who eats again and again also thinks: true <nil>
}

// A stream of questions about one net: the solver keeps what it learns.
func ExampleSolver_Decide() {
	net, err := pnml.Reader{}.ReadFile("../testdata/philosophers.pnml")
	if err != nil {
		fmt.Println(err)
		return
	}
	problem := checker.Problem{Net: net}
	eating, err := logic.ParseSum("eats0 + eats1 + eats2", problem.Vocabulary())
	if err != nil {
		fmt.Println(err)
		return
	}
	solver, err := checker.New(problem, checker.Options{MemoryBytes: 1 << 30})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer solver.Close()
	for _, question := range []checker.Question{checker.Deadlock{}, checker.Bound{Sum: eating}, checker.Live{}} {
		err := solver.Decide(context.Background(), []checker.Question{question}, func(answer checker.Answer) {
			fmt.Printf("%T: %v\n", question, answer.Value)
		})
		if err != nil {
			fmt.Println(err)
		}
	}
	// Output:
	// inquiry.Deadlock: true
	// inquiry.Bound: 1
	// inquiry.Live: false
}

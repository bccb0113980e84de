package input_test

import (
	"fmt"
	"strings"

	"pnmc/cmd/pnmc/internal/input"
	"pnmc/logic/ltl"
)

// A formula that is wrong is in its place among the others.
func ExampleReadFormulas() {
	file := "progress: G F p\n\n# next is wrong\nF (p &\np U q # and this has no name\n"
	formulas, err := input.ReadFormulas(strings.NewReader(file), "formulas.ltl", ltl.Parser{Formulas: ltl.NewFormulas()})
	if err != nil {
		panic(err)
	}
	for _, f := range formulas {
		fmt.Printf("line %d, %q: %v\n", f.Line, f.Name, f.Err)
	}
	// Output:
	// line 1, "progress": <nil>
	// line 4, "F (p &": formulas.ltl:4:7: unexpected end; expected a proposition, 0, 1, "(", or one of ! X F G
	// line 5, "p U q": <nil>
}

// A net in a file without a name is called as the file is.
func ExampleTitle() {
	fmt.Println(input.Title("models/Kanban.pnml.gz"), input.Title("models/FMS.net"))
	// Output: Kanban FMS
}

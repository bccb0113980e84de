package reading_test

import (
	"errors"
	"fmt"
	"strings"

	"pnmc/logic/internal/reading"
)

// Lines may have names and comments. Errors tell where in the file they are.
func ExampleEachLine() {
	file := "# two properties\nsafe: G !bad\nG (a ->\n"
	err := reading.EachLine(strings.NewReader(file), "props.ltl", nil, func(l reading.Line, from reading.Origin) error {
		fmt.Printf("%d %q %q\n", l.Number, l.Name, strings.TrimSpace(l.Source))
		if l.Name == "" {
			return from.Place(&reading.SyntaxError{Line: 1, Column: 8, Message: "expected a formula"})
		}
		return nil
	})
	var syntax *reading.SyntaxError
	fmt.Println(errors.As(err, &syntax), syntax.File, syntax.Line, syntax.Column)
	// Output:
	// 2 "safe" "G !bad"
	// 3 "" "G (a ->"
	// true props.ltl 3 8
}

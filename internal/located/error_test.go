package located_test

import (
	"errors"
	"fmt"
	"io"

	"pnmc/internal/located"
)

func ExampleError() {
	cut := &located.Error{File: "net.tina", Line: 3, Column: 7, Message: "expected a name", Cause: io.ErrUnexpectedEOF}
	fmt.Println(cut)
	fmt.Println(errors.Is(cut, io.ErrUnexpectedEOF))
	fmt.Println(&located.Error{Line: 3, Column: 7, Message: "expected a name"})
	// Output:
	// net.tina:3:7: expected a name
	// true
	// 3:7: expected a name
}

package page_test

import (
	"bytes"
	"flag"
	"fmt"
	"io"
	"strings"

	"github.com/urfave/cli/v2"

	"pnmc/cmd/pnmc/internal/page"
	"pnmc/internal/petritest"
	"pnmc/pnml"
)

// A page about a net, without answers, to be played by hand.
func ExampleOf() {
	net := petritest.Philosophers(2)
	c := cli.NewContext(cli.NewApp(), flag.NewFlagSet("", flag.ContinueOnError), nil)
	document := func(use func(r io.Reader, file string) error) error {
		var text bytes.Buffer
		if err := pnml.Write(&text, net); err != nil {
			return err
		}
		return use(&text, "philosophers.pnml")
	}
	var out strings.Builder
	f := page.Of(c, &out, "philosophers.pnml", document)
	f.ByHand = true
	fmt.Println("begun:", f.Begun())
	if err := f.Finish(page.Subject{Net: net}); err != nil {
		panic(err)
	}
	fmt.Println("begun:", f.Begun())
	fmt.Println("shows a transition:", strings.Contains(out.String(), "eatLeft0"))
	// Output:
	// begun: false
	// begun: true
	// shows a transition: true
}

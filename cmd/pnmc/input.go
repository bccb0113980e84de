package main

import (
	"io"
	"os"

	"github.com/urfave/cli/v2"

	"pnmc/checker"
	"pnmc/logic"
	"pnmc/petri"
	"pnmc/pnml"
)

// netFlags choose a net.
func netFlags() []cli.Flag {
	return []cli.Flag{
		&cli.StringFlag{Name: "pnml", Usage: "read the net from `FILE`; - is standard input", TakesFile: true},
		&cli.StringFlag{Name: "net", Usage: "of several nets in the file, choose the one with this `ID`"},
	}
}

// readNet reads the net that the flags name.
func readNet(c *cli.Context) (*petri.Net, error) {
	path := c.String("pnml")
	if path == "" {
		return nil, usageError("--pnml is missing: which net?")
	}
	var net *petri.Net
	err := withInput(c, path, func(r io.Reader, file string) (err error) {
		net, err = pnml.Read(r, file, pnml.Options{Net: c.String("net")})
		return err
	})
	return net, err
}

// withInput opens a file, or standard input for "-", and lets use read it.
// Errors are those of bad input.
func withInput(c *cli.Context, path string, use func(r io.Reader, file string) error) error {
	if path == "-" {
		if err := use(c.App.Reader, "<stdin>"); err != nil {
			return inputError(err)
		}
		return nil
	}
	f, err := os.Open(path)
	if err != nil {
		return inputError(err)
	}
	defer f.Close()
	if err := use(f, path); err != nil {
		return inputError(err)
	}
	return nil
}

// readDefinitions reads what --ap says of names.
func readDefinitions(c *cli.Context, net *petri.Net) (map[string]*logic.Predicate, error) {
	path := c.String("ap")
	if path == "" {
		return nil, nil
	}
	defined := map[string]*logic.Predicate{}
	err := withInput(c, path, func(r io.Reader, file string) error {
		list, err := logic.ReadPropositions(r, file, checker.Vocabulary(net))
		for _, p := range list {
			defined[p.Name] = p.Predicate
		}
		return err
	})
	return defined, err
}

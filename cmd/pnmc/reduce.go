package main

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"pnmc/cmd/pnmc/internal/exit"
	"pnmc/cmd/pnmc/internal/input"
	"pnmc/cmd/pnmc/internal/limits"
	"pnmc/cmd/pnmc/internal/output"
	"pnmc/cmd/pnmc/internal/usage"
	"pnmc/petri"
	"pnmc/petri/reduce"
	"pnmc/pnml"
)

// reductionClasses are what --for names.
var reductionClasses = []struct {
	name      string
	preserves reduce.Preserves
}{
	{"deadlock", reduce.Deadlock},
	{"reachability", reduce.Reachability},
	{"ltl-x", reduce.Stuttering},
	{"ctl-x", reduce.BranchingStuttering},
	{"ltl", reduce.Branching},
	{"ctl", reduce.Branching},
	{"liveness", reduce.Firings},
	{"count", reduce.Counting},
}

// classNames returns the names of all classes.
func classNames() (names []string) {
	for _, c := range reductionClasses {
		names = append(names, c.name)
	}
	return names
}

const reduceDescription = `What is kept the same is said by --for, over the places that --keep names:
  deadlock      whether a deadlock is reachable
  reachability  which combinations of tokens on the kept places are reachable
  ltl-x, ctl-x  linear and branching time without next; not about deadlocks
  ltl, ctl      linear and branching time
  liveness      whether transitions can fire, at some time or always again: all stay
  count         how many markings and firings there are, if each marking is counted as
                often as the map says
A place keeps its identifier. A run of the reduced net stands for one of the net: first
the prefix that the map has, then for each transition its sequence. A net with colours
is to be unfolded first.`

func reduceFlags() []cli.Flag {
	return append(input.NetFlags(),
		&cli.StringFlag{Name: "for", Usage: "keep the answers to questions of a `CLASS`: deadlock, reachability, ltl-x, ctl-x, ltl, ctl, liveness or count"},
		&cli.StringSliceFlag{Name: "keep", Usage: "keep `PLACES`, as questions look at them; several are separated by commas"},
		&cli.StringFlag{Name: "output", Aliases: []string{"o"}, Usage: "write the net to `FILE` instead of standard output", TakesFile: true},
		&cli.StringFlag{Name: "map", Usage: "write to `FILE`, as JSON, what the firings of the reduced net stand for", TakesFile: true},
		limits.TimeoutFlag(""),
		limits.MemoryFlag(),
	)
}

// reduceAction reduces the net, and writes the map and the net: both appear, or neither, as one is of no
// use beside another one. Both files are tried before anything is computed.
func reduceAction(c *cli.Context) error {
	if c.Args().Present() {
		return usage.UnexpectedArgument(c.Args().First())
	}
	at := slices.Index(classNames(), c.String("for"))
	if at < 0 {
		return exit.UsageError("--for: expected one of %s, found %q", strings.Join(classNames(), ", "), c.String("for"))
	}
	return withDocument(c, []string{c.String("output"), c.String("map")}, func(document pnml.Document) error {
		return writeReduced(c, document, reductionClasses[at].preserves)
	})
}

// withDocument reads the net within the memory that the flags give, and hands it to use. The files
// that will be written are tried before.
func withDocument(c *cli.Context, files []string, use func(pnml.Document) error) error {
	if err := output.TryAll(files...); err != nil {
		return err
	}
	cancel, err := limits.BoundMemory(c)
	if err != nil {
		return err
	}
	defer cancel()
	document, err := input.Document(c)
	if err != nil {
		return err
	}
	return use(document)
}

// writeReduced reduces what was read, and writes the map and the net.
func writeReduced(c *cli.Context, document pnml.Document, preserved reduce.Preserves) error {
	if document.Symmetric != nil {
		return exit.InputError(fmt.Errorf("%s: the net has colours: pnmc unfold writes one without", input.Name(c.String("pnml"))))
	}
	net := document.Net
	protected, err := keptPlaces(net, c.StringSlice("keep"))
	if err != nil {
		return err
	}
	ctx, cancelTime := limits.WithTimeout(c)
	defer cancelTime()
	c.Context = ctx // writing has what time is left
	reduction, err := reduce.Apply(ctx, net, protected, preserved)
	if err != nil {
		return exit.With(exit.Unknown, fmt.Errorf("%s: not reduced: %w", input.Name(c.String("pnml")), err))
	}
	var files []*output.File
	if path := c.String("map"); path != "" {
		file, err := begunMap(c, path, &wayBack{net, reduction, c.String("for")})
		if err != nil {
			return err
		}
		if file != nil {
			defer file.Discard()
			files = append(files, file)
		}
	}
	file, err := begunOutput(c, c.String("output"), func(w io.Writer) error { return pnml.Write(w, reduction.Net) })
	if err != nil {
		return err
	}
	if file != nil {
		files = append(files, file)
	}
	return output.KeepAll(files...)
}

// writeOutput writes a net or what belongs to it within the limits, to a file that appears
// whole or not at all, or in whole lines to standard output.
func writeOutput(c *cli.Context, path string, write func(io.Writer) error) error {
	file, err := begunOutput(c, path, write)
	if err != nil || file == nil {
		return err
	}
	return file.Keep()
}

// begunOutput writes as writeOutput does, but to a file that it returns: the caller has it kept
// or discarded. It returns nil for standard output. The text is not held whole: nets with millions of
// arcs are common.
func begunOutput(c *cli.Context, path string, write func(io.Writer) error) (*output.File, error) {
	name := input.Name(c.String("pnml"))
	if path == "" || path == "-" {
		return nil, limits.Write(c, name, c.App.Writer, write)
	}
	file, err := output.Create(path)
	if err != nil {
		return nil, err
	}
	output.NoteUnfinished(c.Context, file, false)
	if err := limits.Write(c, name, file, write); err != nil {
		file.Discard()
		var known *exit.Failure
		if errors.As(err, &known) && known.Code == exit.Unknown {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		return nil, err
	}
	return file, nil
}

// keptPlaces marks the places with these identifiers.
func keptPlaces(net *petri.Net, ids []string) ([]bool, error) {
	kept := make([]bool, net.Places())
	for _, list := range ids {
		for _, id := range strings.Split(list, ",") {
			p, ok := net.PlaceByID(strings.TrimSpace(id))
			if !ok {
				return nil, exit.UsageError("--keep: there is no place with the identifier %q", id)
			}
			kept[p] = true
		}
	}
	return kept, nil
}

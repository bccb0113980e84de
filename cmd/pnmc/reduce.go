package main

import (
	"encoding/json"
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
		back, err := mapBack(net, reduction, c.String("for"))
		if err != nil {
			return exit.With(exit.Unknown, err)
		}
		file, err := begunOutput(c, path, func(w io.Writer) error { return json.NewEncoder(w).Encode(back) })
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
	if path == "" || path == "-" {
		return nil, limits.Write(c, c.App.Writer, write)
	}
	file, err := output.Create(path)
	if err != nil {
		return nil, err
	}
	output.NoteUnfinished(c.Context, file, false)
	if err := limits.Write(c, file, write); err != nil {
		file.Discard()
		var known *exit.Failure
		if errors.As(err, &known) {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		return nil, exit.InputError(err)
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

// reductionMap says which runs of the net the runs of its reduced net stand for.
//
// For example, a map with the prefix t0, and the sequence t1 t2 for the transition a, says that
// the run a a of the reduced net stands for t0 t1 t2 t1 t2. Whoever finds a deadlock in the
// reduced net so has a run to one in the net.
type reductionMap struct {
	For string `json:"for"`
	// Places are kept, Removed are not.
	Places  []string `json:"places"`
	Removed []string `json:"removed"`
	// Prefix is fired before anything else.
	Prefix []string `json:"prefix"`
	// Transitions of the reduced net, in its order.
	Transitions []mappedTransition `json:"transitions"`
	// Counts is there where markings are to be counted, and the net has no special arcs.
	Counts *mappedCounts `json:"counts,omitempty"`
}

type mappedTransition struct {
	ID       string   `json:"id"`
	Sequence []string `json:"sequence"` // what is fired in its place
}

// longestMap bounds the transitions that a map names.
const longestMap = 10_000_000

// errLongMap means that a map is too long to be written: sequences may double at each step.
var errLongMap = errors.New("the map would name more than 10000000 transitions: without --map the net is written")

// mapBack returns the way back from a reduced net.
//
// The lengths of sequences are computed before any is written down. Each step of the reduction
// may put one transition behind another, and a sequence that is put behind itself again and again
// has 2^40 transitions after 40 steps, although its length is a number of a few digits.
func mapBack(net *petri.Net, r *reduce.Reduction, class string) (*reductionMap, error) {
	m := &reductionMap{For: class, Counts: countsOf(net, r), Places: []string{}, Removed: []string{}, Transitions: []mappedTransition{}}
	total := r.PrefixLength()
	for t := range petri.Transition(r.Net.Transitions()) {
		if total > longestMap || r.SequenceLength(t) > longestMap {
			return nil, errLongMap
		}
		total += r.SequenceLength(t)
	}
	if total > longestMap {
		return nil, errLongMap
	}
	for p, q := range r.PlaceOf {
		list := &m.Places
		if q < 0 {
			list = &m.Removed
		}
		*list = append(*list, net.PlaceLabel(petri.Place(p)).ID)
	}
	names := func(run []petri.Transition) []string {
		ids := []string{}
		for _, t := range run {
			ids = append(ids, net.TransitionLabel(t).ID)
		}
		return ids
	}
	m.Prefix = names(r.Prefix())
	for t := range petri.Transition(r.Net.Transitions()) {
		m.Transitions = append(m.Transitions, mappedTransition{r.Net.TransitionLabel(t).ID, names(r.Sequence(nil, t))})
	}
	return m, nil
}

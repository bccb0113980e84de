package main

import (
	"context"
	"errors"
	"math/big"
	"runtime"
	"slices"
	"time"

	"github.com/urfave/cli/v2"

	"pnmc/cmd/pnmc/internal/approach"
	"pnmc/cmd/pnmc/internal/exit"
	"pnmc/cmd/pnmc/internal/input"
	"pnmc/cmd/pnmc/internal/limits"
	"pnmc/cmd/pnmc/internal/progress"
	"pnmc/cmd/pnmc/internal/told"
	"pnmc/cmd/pnmc/internal/usage"
	"pnmc/cmd/pnmc/internal/wording"
	"pnmc/internal/process"
	"pnmc/petri"
	"pnmc/petri/disk"
	"pnmc/petri/multicore"
	"pnmc/symbolic"
)

const statesDescription = `Prints the four values of the Model Checking Contest's StateSpace examination:
reachable markings, labelled firings between them, the most tokens in a marking,
and the most tokens in a place; JSON has deadlocks as well. If the exploration can't be
completed, standard error says so, and the exit code is 2; the same if --engine symbolic
has all markings, but reaches a limit while it counts: then it prints what it knows. Of
an unbounded net it names a place without bound, or, with --engine symbolic, one that
got thousands of tokens for which no bound is known. A model in ETF is counted by
--engine symbolic, which is then the default: its firings are rows of its tables, and
values of its variables stand for tokens. Threads of --engine explicit share one store;
what they count does not depend on their number. With --disk an exploration that has
filled its memory goes on with sorted files on disk, with one thread and with the same
figures in the end; of places without proven bounds it does not find out there whether
they have none, but takes more and more room.`

func statesFlags() []cli.Flag {
	return slices.Concat(input.NetFlags(), []cli.Flag{input.ETFFlag("to be counted with decision diagrams"), engineFlag(), threadsFlag(), told.FormatFlag()}, approach.DiagramFlags(), limits.Flags(""),
		diskFlags(), progress.Flags())
}

func engineFlag() cli.Flag {
	return &cli.StringFlag{Name: "engine", DefaultText: "explicit",
		Usage: "store markings one by one or as decision diagrams: `explicit` or symbolic"}
}

func threadsFlag() cli.Flag {
	return &cli.IntFlag{Name: "threads", DefaultText: "as many as the process may use",
		Usage: "explore with this `NUMBER` of threads, with --engine explicit"}
}

// threads returns how many threads explore.
func threads(c *cli.Context) (int, error) {
	if !c.IsSet("threads") {
		return min(runtime.GOMAXPROCS(0), limits.MostThreads), nil // which knows affinity and the cgroup's quota
	}
	n := c.Int("threads")
	if n < 1 || n > limits.MostThreads {
		return 0, exit.UsageError("--threads: expected a number from 1 to %d, found %d", limits.MostThreads, n)
	}
	return n, nil
}

// statesReport is the object that states prints as JSON.
type statesReport struct {
	States               int64    `json:"states"`
	Transitions          int64    `json:"transitions"`
	MaxTokenPerMarking   *big.Int `json:"max_token_per_marking"`
	MaxTokenInPlace      int64    `json:"max_token_in_place"`
	Deadlocks            int64    `json:"deadlocks"`
	Complete             bool     `json:"complete"`
	Reason               string   `json:"reason,omitempty"`
	Seconds              float64  `json:"seconds"`
	StatesPerSecond      float64  `json:"states_per_second"`
	TransitionsPerSecond float64  `json:"transitions_per_second"`
	BytesPerState        float64  `json:"bytes_per_state"`
	PeakRSSBytes         int64    `json:"peak_rss_bytes"`
}

// statesAction counts states by the engine of --engine, and prints them. If the exploration
// ends early, it exits with Unknown. Only JSON then has the counts; it says that they are not
// complete. Decision diagrams are for countSymbolically.
func statesAction(c *cli.Context) error {
	if c.Args().Present() {
		return usage.UnexpectedArgument(c.Args().First())
	}
	if err := told.CheckFormat(c); err != nil {
		return err
	}
	budget, err := limits.Budget(c)
	if err != nil {
		return err
	}
	engine, err := stateEngine(c)
	if err != nil {
		return err
	}
	options, err := approach.DiagramOptions(c)
	if err != nil {
		return err
	}
	threads, err := threads(c)
	if err != nil {
		return err
	}
	folder, err := diskFolder(c, engine)
	if err != nil {
		return err
	}
	if folder != nil {
		defer folder.Remove()
		threads = 1
	}
	m := progress.NewMessenger(c)
	if c.String("etf") != "" {
		return statesOfModel(c, m, budget, options)
	}
	process.ForgetProgram() // what has read the command line
	net, sums, err := input.CountedNet(c)
	if err != nil {
		return err
	}
	m.Phase("read %d places, %d transitions, %d arcs", net.Places(), net.Transitions(), net.Arcs())
	defer m.TellClaim(net)
	ctx, cancel := limits.WithTimeout(c)
	defer cancel()
	if engine == "symbolic" {
		explore := func(o symbolic.Options) (*symbolic.StateSpace, error) { return symbolic.Explore(ctx, net, o) }
		return countSymbolically(ctx, c, m, diagramModel{name: input.NetName(c, net), explore: explore, uncounted: sums}, approach.WithFree(options, budget))
	}
	process.ForgetProgram() // what has read the net
	start := time.Now()
	end := m.During(input.NetName(c, net), "looking for invariants")
	facts := limits.Prove(ctx, net, budget)
	end()
	m.Phase("found %d semiflows", len(facts.Semiflows))
	tell := func(s petri.Statistics) { m.Progress(input.NetName(c, net), s.Firings, s.States) }
	process.ForgetProgram() // what has found invariants
	result, reason := explore(ctx, net, facts, budget, threads, disk.Options{Folder: folder, Progress: tell, Tell: m.Phase, Uncounted: sums})
	m.Clear()
	seconds := time.Since(start).Seconds()
	m.Phase("explored %d states and %d firings with %s", result.States, result.Firings, wording.Counted(threads, "thread", "threads"))
	if c.String("format") == "json" {
		err = printStatesJSON(c, result, reason, seconds)
	} else if reason == nil {
		err = printMeasures(c, big.NewInt(result.States), big.NewInt(result.Firings), result.MaxTokensPerMarking,
			big.NewInt(result.MaxTokensInPlace), told.ExplicitTechniques)
	}
	if err != nil {
		return err
	}
	if reason != nil {
		if errors.As(reason, new(*disk.FileError)) {
			return exit.InputError(reason)
		}
		m.Say("unknown: %s, %d MB: %v", wording.Counted(int(result.States), "state", "states"), process.Peak()>>20, reason)
		return exit.With(exit.Unknown, nil)
	}
	return nil
}

// explore explores with so many threads, or with a folder on disk.
func explore(ctx context.Context, net *petri.Net, facts petri.Facts, budget petri.Budget, threads int, o disk.Options) (petri.Statistics, error) {
	if o.Folder != nil {
		return disk.Explore(ctx, net, facts, budget, o)
	}
	return multicore.Explore(ctx, net, facts, budget, threads, o.Progress, o.Uncounted...)
}

// stateEngine returns the engine that the flags ask for.
func stateEngine(c *cli.Context) (string, error) {
	if err := input.CheckModelFlags(c); err != nil {
		return "", err
	}
	model := c.String("etf") != ""
	switch engine := c.String("engine"); {
	case model && engine == "explicit":
		return "", exit.UsageError("--engine: models in ETF are counted by symbolic, not by explicit; pnmc convert --to pnml makes nets of them")
	case model && c.IsSet("encoding"):
		return "", exit.UsageError("--encoding is for nets, not for models in ETF")
	case engine == "" && model:
		return "symbolic", nil
	case engine == "":
		return "explicit", nil
	case engine == "explicit" || engine == "symbolic":
		return engine, nil
	default:
		return "", exit.UsageError("--engine: expected explicit or symbolic, found %q", engine)
	}
}

// printStatesJSON prints all that an exploration has found, complete or not. Reason is why it
// ended early, or nil. PeakRSSBytes is of the whole process.
func printStatesJSON(c *cli.Context, s petri.Statistics, reason error, seconds float64) error {
	report := statesReport{
		States: s.States, Transitions: s.Firings,
		MaxTokenPerMarking: s.MaxTokensPerMarking, MaxTokenInPlace: s.MaxTokensInPlace,
		Deadlocks: s.Deadlocks, Complete: s.Complete, Seconds: seconds,
		StatesPerSecond: float64(s.States) / max(seconds, 1e-9), TransitionsPerSecond: float64(s.Firings) / max(seconds, 1e-9),
		PeakRSSBytes: process.Peak(),
	}
	report.BytesPerState = float64(report.PeakRSSBytes) / float64(max(s.States, 1))
	if reason != nil {
		report.Reason = reason.Error()
	}
	return told.WriteJSON(c.App.Writer, report)
}

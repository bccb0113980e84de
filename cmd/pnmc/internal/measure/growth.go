package measure

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/urfave/cli/v2"

	"pnmc/cmd/pnmc/internal/exit"
	"pnmc/cmd/pnmc/internal/input"
	"pnmc/cmd/pnmc/internal/limits"
	"pnmc/cmd/pnmc/internal/progress"
	"pnmc/experiment"
	"pnmc/internal/process"
)

// statesFlag names nets whose state spaces are explored, instead of properties that are checked.
const statesFlag = "states"

// GrowthFlags returns the flags that say which explorations are measured.
func GrowthFlags() []cli.Flag {
	return []cli.Flag{
		&cli.StringSliceFlag{Name: statesFlag, Usage: "measure explorations of the state space of the net in `FILE`, and no properties; may be repeated", TakesFile: true},
		&cli.StringFlag{Name: "threads", Value: "1", Usage: "with --states, explore with these `NUMBERS` of threads, such as 1,2,4"},
		&cli.IntFlag{Name: "runs", Value: 1, Usage: "with --states, make each exploration this `NUMBER` of times, for medians"},
	}
}

// mostRuns is how often the same may be measured.
const mostRuns = 1000

// besideStates are the flags of bench that mean something beside --states.
var besideStates = []string{statesFlag, "threads", "runs", "net", "output", "retry", "plots", "timeout", "total-timeout", "max-memory", "verbose", "quiet"}

// growing is what a bench of explorations has read.
type growing struct {
	*measuring
	plan  experiment.GrowthPlan
	paths []string // of the nets of the plan
}

// benchStates measures explorations of state spaces: each in a process of its own, so that its
// memory is known, and one after the other, so that threads have the machine.
func benchStates(c *cli.Context) error {
	g := growing{measuring: &measuring{c: c, Messenger: progress.NewMessenger(c)}, paths: c.StringSlice(statesFlag)}
	if err := g.read(); err != nil {
		return err
	}
	plots, directory := growthPlots(), c.String("plots")
	if directory != "" {
		if err := tryPlots(directory, plots); err != nil {
			return err
		}
	}
	m, err := goOn(g.measuring, g.plan.Keys(), func(records []experiment.GrowthRecord) (experiment.Resumption, error) {
		return g.plan.Resume(records, c.Bool("retry"))
	})
	if err != nil {
		return err
	}
	g.plan.Done, g.plan.Begin = m.done, m.begin
	failed := m.end(g.plan.Run(c.Context, g.explore, func(r experiment.GrowthRecord) error {
		g.bug = g.bug || strings.HasPrefix(r.Reason, experiment.Crashed)
		return m.add(r, r.Key())
	}))
	tables := func() error { return experiment.WriteGrowthTable(c.App.Writer, m.records) }
	if err := m.show(c.App.Writer, tables, directory, plots); err != nil {
		return err
	}
	for _, pair := range experiment.GrowthContradictions(m.records) {
		g.bug = true
		g.Fail("%s: %d states and %d transitions with %d threads, %d and %d with %d: one is wrong", pair[0].Model, pair[0].States,
			pair[0].Transitions, pair[0].Threads, pair[1].States, pair[1].Transitions, pair[1].Threads)
	}
	if failed != nil {
		return failed
	}
	g.unknown = g.unknown || !slices.ContainsFunc(m.records, func(r experiment.GrowthRecord) bool { return r.Reason == "" })
	return g.outcome()
}

// read makes the plan that the flags ask for.
func (g *growing) read() error {
	c := g.c
	for _, f := range c.Command.Flags {
		if name := f.Names()[0]; c.IsSet(name) && !slices.Contains(besideStates, name) {
			return exit.UsageError("--%s: it means nothing beside --%s, as no property is checked", name, statesFlag)
		}
	}
	budget, err := limits.Budget(c)
	if err != nil {
		return err
	}
	g.budget = budget
	g.plan = experiment.GrowthPlan{Runs: c.Int("runs"), Limit: c.Duration("timeout"), MemoryBytes: budget.MemoryBytes}
	if g.plan.Runs < 1 || g.plan.Runs > mostRuns {
		return exit.UsageError("--runs: expected a number from 1 to %d, found %d", mostRuns, g.plan.Runs)
	}
	for _, text := range strings.Split(c.String("threads"), ",") {
		n, err := strconv.Atoi(strings.TrimSpace(text))
		if err != nil || n < 1 || n > limits.MostThreads || slices.Contains(g.plan.Threads, n) {
			return exit.UsageError("--threads: expected different numbers from 1 to %d, such as 1,2,4, found %q", limits.MostThreads, text)
		}
		g.plan.Threads = append(g.plan.Threads, n)
	}
	for _, path := range g.paths {
		fingerprint, err := fingerprintOf(c, path)
		if err != nil {
			return err
		}
		name := modelName(path)
		if slices.ContainsFunc(g.plan.Nets, func(n experiment.GrowthNet) bool { return n.Name == name }) {
			return exit.UsageError("--%s: two nets called %s, which tables could not tell apart", statesFlag, name)
		}
		g.plan.Nets = append(g.plan.Nets, experiment.GrowthNet{Name: name, Fingerprint: fingerprint})
	}
	return nil
}

// modelName returns what a net in a file is called: as the file or, in the contest, as its folder.
func modelName(path string) string {
	name := input.Title(path)
	if folder, err := filepath.Abs(filepath.Dir(path)); err == nil && name == "model" {
		return filepath.Base(folder)
	}
	return name
}

// fingerprintOf returns a text that distinguishes the net in a file from others.
func fingerprintOf(c *cli.Context, path string) (string, error) {
	if info, err := os.Stat(path); path == "-" || err == nil && !info.Mode().IsRegular() {
		return "", exit.InputError(fmt.Errorf("%s: each exploration reads the net anew: expected a file", path))
	}
	hash := sha256.New()
	err := input.WithFile(c, path, func(r io.Reader, _ string) error {
		_, err := io.Copy(hash, r)
		return err
	})
	io.WriteString(hash, "\x00"+c.String("net"))
	return hex.EncodeToString(hash.Sum(nil)[:fingerprintBytes]), err
}

// statesReport is what the command states prints in JSON, as far as it is measured.
type statesReport struct {
	States       int64   `json:"states"`
	Transitions  int64   `json:"transitions"`
	Complete     bool    `json:"complete"`
	Reason       string  `json:"reason"`
	Seconds      float64 `json:"seconds"`
	PeakRSSBytes int64   `json:"peak_rss_bytes"`
}

// explore explores a net of the plan in a process of its own. What ends by a limit is explored in
// part. A net that can't be read is an error.
func (g *growing) explore(ctx context.Context, net, threads int) (experiment.Explored, error) {
	program, err := os.Executable()
	if err != nil {
		return experiment.Explored{}, err
	}
	arguments := []string{"states", "--format", "json", "--pnml", g.paths[net], "--threads", strconv.Itoa(threads)}
	for _, name := range []string{"net", "max-memory"} {
		if g.c.IsSet(name) {
			arguments = append(arguments, "--"+name, g.c.String(name))
		}
	}
	if limit := g.c.Duration("timeout"); limit > 0 {
		arguments = append(arguments, "--timeout", limit.String())
	}
	command := exec.CommandContext(ctx, program, arguments...)
	var text, complaint bytes.Buffer
	command.Stdout, command.Stderr, command.WaitDelay = &text, &complaint, leftToEnd
	process.Apart(command)
	release := process.DieTogether(command)
	defer release()
	ended := command.Run()
	var report statesReport
	var code *exec.ExitError
	switch wrong := json.Unmarshal(text.Bytes(), &report); {
	case ctx.Err() != nil:
		return experiment.Explored{}, context.Cause(ctx)
	case wrong == nil && (ended == nil || report.Reason != ""):
		return experiment.Explored{States: report.States, Transitions: report.Transitions, Seconds: report.Seconds, PeakBytes: report.PeakRSSBytes, Reason: report.Reason}, nil
	case errors.As(ended, &code) && code.ExitCode() == exit.Input:
		return experiment.Explored{}, exit.InputError(errors.New(complaintOf(&complaint)))
	case errors.As(ended, &code) && code.ExitCode() == exit.Unknown:
		return experiment.Explored{Reason: complaintOf(&complaint)}, nil
	case errors.As(ended, &code) && code.Exited():
		return experiment.Explored{Reason: fmt.Sprintf("%s: the process of the exploration ended: %v: %s", experiment.Crashed, ended, complaintOf(&complaint))}, nil
	case ended != nil:
		return experiment.Explored{Reason: fmt.Sprintf("the process of the exploration was ended, perhaps for want of memory: %v", ended)}, nil
	default:
		return experiment.Explored{}, exit.With(exit.Internal, fmt.Errorf("states printed %q: %w", text.String(), wrong))
	}
}

// complaintOf returns the last line that a process of this program has told, without the
// program's name.
func complaintOf(told *bytes.Buffer) string {
	lines := strings.Split(strings.TrimSpace(told.String()), "\n")
	return strings.TrimPrefix(lines[len(lines)-1], "pnmc: ")
}

// growthPlots returns the plots of explorations, by the names of their files.
func growthPlots() map[string]drawing[experiment.GrowthRecord] {
	draw := func(name string, figure func(seconds, peakBytes float64) float64) drawing[experiment.GrowthRecord] {
		return func(w io.Writer, records []experiment.GrowthRecord) error {
			return experiment.DrawGrowth(w, records, name, figure)
		}
	}
	return map[string]drawing[experiment.GrowthRecord]{
		"states-time.svg":    draw("seconds", func(seconds, _ float64) float64 { return seconds }),
		"states-memory.svg":  draw("MB of the whole process", func(_, peak float64) float64 { return peak / (1 << 20) }),
		"states-threads.svg": experiment.DrawSpeed,
	}
}

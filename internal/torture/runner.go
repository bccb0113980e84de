package main

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"pnmc/internal/torture/chamber"
)

// runner runs cases and collects what they show.
type runner struct {
	*settings
	work  string
	mutex sync.Mutex // of what follows
	runs  map[[2]string]int
	cpu   time.Duration
	begun time.Time
	// onceLate counts runs that were late, and in time when they were repeated.
	onceLate int
	findings []finding
}

// finding is a run with what is wrong with it.
type finding struct {
	number        uint64
	command, kind string
	line, folder  string
	problems      []string
}

func newRunner(s *settings, work string) *runner {
	return &runner{settings: s, work: work, begun: time.Now(), runs: map[[2]string]int{}}
}

// all runs cases side by side until the time is over. Cases are numbered from first on, and each is
// drawn from the seed and its number alone: so it does not matter which worker has it, or when.
func (r *runner) all(ctx context.Context) error {
	begun := time.Now()
	numbers := make(chan uint64)
	var workers sync.WaitGroup
	var failure error
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	for range max(1, r.jobs) {
		workers.Go(func() {
			for n := range numbers {
				if err := r.one(n, filepath.Join(r.work, fmt.Sprint(n))); err != nil {
					r.mutex.Lock()
					failure = cmp.Or(failure, err)
					r.mutex.Unlock()
					stop()
				}
			}
		})
	}
	for n := r.first; time.Since(begun) < r.duration && ctx.Err() == nil; n++ {
		select {
		case numbers <- n:
		case <-ctx.Done():
		}
	}
	close(numbers)
	workers.Wait()
	return failure
}

// repeat runs one case and keeps its files.
func (r *runner) repeat() error {
	r.verbose = true
	folder := filepath.Join(r.out, fmt.Sprintf("run-%d-%d", r.seed, r.first))
	if err := os.RemoveAll(folder); err != nil {
		return err
	}
	c, err := r.draw(r.first)
	if err != nil {
		return err
	}
	fmt.Printf("cd %s\n%s\n", folder, c.CommandLine(r.binary))
	return r.one(r.first, folder)
}

func (r *runner) draw(number uint64) (*chamber.Case, error) {
	return chamber.New(r.seed, number, r.binary, r.commands, r.kinds)
}

// lateRuns is how often a run must be late to be called so: other programs on the
// machine make it late, too.
const lateRuns = 3

// one runs a case in folder, and keeps it if something is wrong. A case that is only late is run
// again, up to lateRuns times in all: another program on the machine may have had the processor. A
// case that is wrong in any other way is a finding at once, as it may not happen again.
func (r *runner) one(number uint64, folder string) error {
	late := 0
	for {
		c, err := r.draw(number)
		if err != nil {
			return err
		}
		if err := os.RemoveAll(folder); err != nil {
			return err
		}
		o, findings, err := c.Run(r.binary, folder)
		if err != nil {
			return fmt.Errorf("run %d: %w", number, err)
		}
		var problems []string
		onlyLate := len(findings) > 0
		for _, f := range findings {
			problems = append(problems, f.Problem)
			onlyLate = onlyLate && chamber.IsLate(f.Problem)
		}
		r.count(c, o, problems)
		if onlyLate {
			if late++; late < lateRuns {
				continue
			}
		} else if late > 0 && len(problems) == 0 {
			r.mutex.Lock()
			r.onceLate++
			r.mutex.Unlock()
		}
		return r.finish(c, problems, folder)
	}
}

// count adds a run to the table.
func (r *runner) count(c *chamber.Case, o *chamber.Outcome, problems []string) {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	r.runs[[2]string{c.Command, c.Kind}]++
	r.cpu += o.CPU
	if r.verbose {
		fmt.Printf("run %d: %s, %s: exit code %d after %s of %s, %d MB of %d MB %s\n", c.Number, c.Command, c.Kind, o.Code,
			o.Wall.Round(time.Millisecond), c.Time, o.Peak>>20, c.Memory>>20, strings.Join(problems, "; "))
	}
}

// finish keeps the files of a run with problems, and removes those of others.
//
// For example, a finding in run 17 of seed 4 has the folder run-4-17 with all its input, what was
// printed, and a file finding.txt with what is wrong, the command as a shell takes it, and the
// seed and run by which torture repeats it.
func (r *runner) finish(c *chamber.Case, problems []string, folder string) error {
	if len(problems) == 0 {
		if r.single {
			return nil
		}
		return os.RemoveAll(folder)
	}
	kept := filepath.Join(r.out, fmt.Sprintf("run-%d-%d", r.seed, c.Number))
	if kept != folder {
		if err := os.RemoveAll(kept); err != nil {
			return err
		}
		if err := move(folder, kept); err != nil {
			return err
		}
	}
	line := c.CommandLine(r.binary)
	text := fmt.Sprintf("%s\n\n%s\n\nseed %d, run %d\n", strings.Join(problems, "\n"), line, r.seed, c.Number)
	if err := os.WriteFile(filepath.Join(kept, "finding.txt"), []byte(text), 0o644); err != nil {
		return err
	}
	r.mutex.Lock()
	defer r.mutex.Unlock()
	r.findings = append(r.findings, finding{c.Number, c.Command, c.Kind, line, kept, problems})
	fmt.Printf("finding: run %d: %s, %s: %s\n", c.Number, c.Command, c.Kind, strings.Join(problems, "; "))
	return nil
}

// move moves a folder, perhaps to another file system.
func move(from, to string) error {
	if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
		return err
	}
	if os.Rename(from, to) == nil {
		return nil
	}
	if err := os.CopyFS(to, os.DirFS(from)); err != nil {
		return err
	}
	return os.RemoveAll(from)
}

// table prints the runs of each command and kind of input, and the findings.
func (r *runner) table(w io.Writer) {
	total := 0
	byCommand := map[string]int{}
	for pair, n := range r.runs {
		total += n
		byCommand[pair[0]] += n
	}
	commands := slices.Sorted(maps.Keys(byCommand))
	fmt.Fprintf(w, "\n%-24s", "runs")
	for _, c := range commands {
		fmt.Fprintf(w, " %*s", max(5, len(c)), c)
	}
	fmt.Fprintln(w, "     all")
	row := func(name string, count func(command string) int) {
		sum := 0
		fmt.Fprintf(w, "%-24s", name)
		for _, c := range commands {
			n := count(c)
			sum += n
			text := "."
			if n > 0 {
				text = fmt.Sprint(n)
			}
			fmt.Fprintf(w, " %*s", max(5, len(c)), text)
		}
		fmt.Fprintf(w, " %7d\n", sum)
	}
	for _, kind := range chamber.Kinds() {
		if slices.ContainsFunc(commands, func(c string) bool { return r.runs[[2]string{c, kind}] > 0 }) {
			row(kind, func(c string) int { return r.runs[[2]string{c, kind}] })
		}
	}
	row("all", func(c string) int { return byCommand[c] })
	fmt.Fprintf(w, "\n%d runs, %.2f hours of the processor by pnmc, %s since the beginning, seed %d; %d late once and then in time\n",
		total, r.cpu.Hours(), time.Since(r.begun).Round(time.Second), r.seed, r.onceLate)
	for _, f := range r.findings {
		fmt.Fprintf(w, "\nrun %d, %s, %s, in %s\n  %s\n", f.number, f.command, f.kind, f.folder, f.line)
		for _, p := range f.problems {
			fmt.Fprintf(w, "  %s\n", p)
		}
	}
	fmt.Fprintf(w, "%d runs with findings\n", len(r.findings))
}

// Command torture runs pnmc on hostile and random input, within small limits, and
// tells what went wrong.
//
// In come a duration and a seed. In the end a table of runs goes out, by command and kind of input,
// with the time of the processor that pnmc took. With it come the findings, each with its command
// line and a folder that keeps its input. Run N of a seed has the same input each time:
// -seed S -run N repeats it. Only the number of runs, the order of those side by side, and what
// limits cut off depend on the machine. The exit code is 1 if there are findings.
//
// See package chamber for what is checked.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"runtime/debug"
	"strings"
	"syscall"
	"time"

	"pnmc/internal/torture/chamber"
)

func main() {
	chamber.Launch()
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "torture:", err)
		os.Exit(1)
	}
}

// settings are what the flags say.
type settings struct {
	seed, first     uint64
	single          bool
	duration        time.Duration
	jobs            int
	kinds, commands []string
	out, binary     string
	verbose         bool
}

// parse reads the command line.
func parse() (*settings, error) {
	s := &settings{}
	flag.Uint64Var(&s.seed, "seed", uint64(time.Now().UnixNano()), "what is drawn follows from this `number`")
	number := flag.Int64("run", -1, "repeat this `run` of the seed alone, and keep its files")
	flag.Uint64Var(&s.first, "first", 0, "begin with this `run`")
	flag.DurationVar(&s.duration, "duration", 20*time.Second, "begin no run after this `time`")
	flag.IntVar(&s.jobs, "jobs", 1, "run this `number` side by side")
	kinds := flag.String("kinds", "", "draw only input of these kinds: `names` of "+strings.Join(chamber.Kinds(), " "))
	commands := flag.String("commands", "", "draw only these commands: `names` of "+strings.Join(chamber.Commands(), " "))
	flag.StringVar(&s.out, "out", "", "keep the input of findings in this `folder` (default: a new one)")
	flag.StringVar(&s.binary, "binary", "", "run this `program` (default: one built from the tree)")
	flag.BoolVar(&s.verbose, "v", false, "print each run")
	flag.Parse()
	if flag.NArg() > 0 {
		return nil, fmt.Errorf("unexpected argument %q", flag.Arg(0))
	}
	s.kinds, s.commands = strings.FieldsFunc(*kinds, isSeparator), strings.FieldsFunc(*commands, isSeparator)
	if *number >= 0 {
		s.single, s.first = true, uint64(*number)
	}
	return s, nil
}

func isSeparator(r rune) bool { return r == ',' || r == ' ' }

// memory is what this program keeps to, as far as the collector can.
const memory = 256 << 20

// run builds the program unless one is given, runs it until the duration is over or a single run
// is repeated, and prints a table. It fails if there are findings, whose files it keeps.
func run() error {
	s, err := parse()
	if err != nil {
		return err
	}
	debug.SetMemoryLimit(memory)
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	work, err := os.MkdirTemp("", "torture-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(work)
	if s.binary == "" {
		s.binary = filepath.Join(work, "pnmc")
		build := exec.CommandContext(ctx, "go", "build", "-o", s.binary, "pnmc/cmd/pnmc")
		build.Stderr = os.Stderr
		if err := build.Run(); err != nil {
			return fmt.Errorf("building pnmc: %w", err)
		}
	} else if s.binary, err = filepath.Abs(s.binary); err != nil {
		return err
	}
	if s.out == "" {
		if s.out, err = os.MkdirTemp("", "torture-findings-"); err != nil {
			return err
		}
	}
	if s.out, err = filepath.Abs(s.out); err != nil {
		return err
	}
	fmt.Printf("seed %d\n", s.seed)
	r := newRunner(s, work)
	if s.single {
		err = r.repeat()
	} else {
		err = r.all(ctx)
	}
	r.table(os.Stdout)
	_ = os.Remove(s.out) // if it is empty
	if err == nil && len(r.findings) > 0 {
		err = fmt.Errorf("%d runs with findings", len(r.findings))
	}
	return err
}

package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/mattn/go-isatty"
	"github.com/urfave/cli/v2"

	"pnmc/cmd/pnmc/internal/exit"
	"pnmc/cmd/pnmc/internal/input"
	"pnmc/cmd/pnmc/internal/limits"
	"pnmc/cmd/pnmc/internal/output"
	"pnmc/cmd/pnmc/internal/told"
	"pnmc/cmd/pnmc/internal/wording"
	"pnmc/petri"
	"pnmc/petri/symmetric"
	"pnmc/play"
)

const playDescription = `Lists the places with their tokens and what is enabled. Arrows choose a transition,
Enter fires it, u takes it back; ? shows all keys. With a file of runs that --trace
wrote as JSON, the arrow to the right fires the next step of a run, the one to the left
takes it back. A coloured net is unfolded. Where the variable NO_COLOR is set there are no
colours. The command needs a terminal; pnmc view makes a page for a browser instead.`

func playFlags() []cli.Flag {
	return append([]cli.Flag{
		&cli.StringFlag{Name: "pnml", Usage: "take the net in `FILE`, not in an argument", TakesFile: true},
		&cli.StringFlag{Name: "net", Usage: "of several nets in the file, choose the one with this `ID`"},
	}, limits.Flags(" (reading and unfolding, not the game)")...)
}

// playAction reads the net and the runs before it looks for a terminal, so that what is wrong
// with files is reported in any case.
func playAction(c *cli.Context) error {
	files, err := netAndMore(c, "play", 1)
	if err != nil {
		return err
	}
	if slices.Contains(files, "-") || c.String("pnml") == "-" {
		return exit.UsageError("play reads keys from standard input, so that files need names")
	}
	runs := ""
	if len(files) > 0 {
		runs = files[0]
	}
	game, title, err := readGame(c, runs)
	if err != nil {
		return err
	}
	if !isTerminal(c.App.Reader) || !isTerminal(c.App.Writer) {
		return exit.UsageError("play needs a terminal; pnmc view writes a page for a browser instead")
	}
	screen, err := play.NewScreen()
	if err != nil {
		return exit.UsageError("play needs a terminal that it knows: %w", err)
	}
	defer screen.Fini()
	err = play.Play(c.Context, screen, game, play.Options{Title: title, Plain: os.Getenv("NO_COLOR") != ""})
	if err != nil {
		return exit.With(exit.Unknown, err)
	}
	return nil
}

// netAndMore takes the net from the first argument, or from --pnml as other commands do. It
// returns the arguments behind it; there are at most so many.
func netAndMore(c *cli.Context, command string, most int) ([]string, error) {
	rest := c.Args().Slice()
	if !c.IsSet("pnml") {
		if len(rest) == 0 {
			return nil, exit.UsageError("which net? expected pnmc %s net.pnml", command)
		}
		if err := c.Set("pnml", rest[0]); err != nil {
			return nil, err
		}
		rest = rest[1:]
	}
	if len(rest) > most {
		return nil, exit.UsageError("unexpected argument %q", rest[most])
	}
	return rest, nil
}

// isTerminal reports whether a stream is a terminal.
func isTerminal(stream any) bool {
	if w, ok := stream.(*output.WatchedWriter); ok {
		stream = w.Writer
	}
	f, ok := stream.(*os.File)
	return ok && isatty.IsTerminal(f.Fd())
}

// readGame reads the net, and the runs if path names a file of them.
func readGame(c *cli.Context, path string) (*play.Game, string, error) {
	document, err := input.Document(c)
	if err != nil {
		return nil, "", err
	}
	r := runReader{net: document.Net, coloured: document.Symmetric}
	if r.coloured != nil {
		unfolding, err := input.Unfold(c, r.coloured, symmetric.Options{KeepAll: true})
		if err != nil {
			return nil, "", err
		}
		r.net = unfolding.Net
	}
	var runs []play.Run
	if path != "" {
		err = input.WithText(c, path, func(in io.Reader, file string) error {
			text, err := io.ReadAll(in) // what is wrong with the file comes before what is with its text
			if err == nil {
				runs, err = r.read(bytes.NewReader(text))
			}
			if err != nil {
				err = fmt.Errorf("%s: %w", file, err)
			}
			return err
		})
		if err != nil {
			return nil, "", err
		}
	}
	game, err := play.NewGame(r.net, runs)
	if err != nil {
		return nil, "", exit.InputError(fmt.Errorf("%s: %w", path, err))
	}
	return game, input.NetName(c, r.net), nil
}

// expectedRuns is what a file that is no file of runs is told.
const expectedRuns = "expected runs as --trace writes them to a file that ends in .json"

// mostPlayed bounds the steps of a run that is read: nobody looks at more.
const mostPlayed = 1_000_000

// runReader reads runs as --trace writes them in JSON.
type runReader struct {
	net      *petri.Net
	coloured *symmetric.Net // that net was unfolded, or nil
	byName   map[string]petri.Transition
}

// read reads an object a line. Objects of --format json, which have the run under the key
// trace, are read too; those without a run are passed over.
func (r *runReader) read(in io.Reader) (runs []play.Run, err error) {
	for d, number := json.NewDecoder(in), 1; ; number++ {
		var told struct {
			Name string `json:"name"`
			told.Run
			Trace *told.Run `json:"trace"`
		}
		if err := d.Decode(&told); err == io.EOF && number == 1 {
			return nil, errors.New(expectedRuns + ", found nothing")
		} else if err == io.EOF {
			break
		} else if wrong := (*json.SyntaxError)(nil); number == 1 && errors.As(err, &wrong) && wrong.Offset == 1 {
			return nil, errors.New(expectedRuns + ", found something else")
		} else if err != nil {
			return nil, fmt.Errorf("object %d: %w", number, err)
		}
		t := &told.Run
		if told.Trace != nil {
			t = told.Trace
		}
		if t.Prefix == nil && t.Cycle == nil && t.Branches == nil {
			continue
		}
		own, err := r.runsOf(t, wording.OneLine(told.Name))
		if err != nil {
			return nil, fmt.Errorf("object %d: %w", number, err)
		}
		runs = append(runs, own...)
	}
	if len(runs) == 0 {
		return nil, errors.New("it has no run")
	}
	return runs, nil
}

// runsOf returns the runs of an answer: one, or one for each branch of a formula of CTL. A
// branch that begins within another is played from the initial marking.
//
// For example, part 1 fires t1 t2 t3, and part 2 begins in part 1 after 2 firings and fires t4.
// The game has one marking and one history, so that part 2 is played as t1 t2 t4.
func (r *runReader) runsOf(t *told.Run, name string) (runs []play.Run, err error) {
	if len(t.Branches) == 0 {
		run := play.Run{Name: name}
		if run.Prefix, err = r.steps(t.Prefix); err == nil {
			run.Cycle, err = r.steps(t.Cycle)
		}
		return []play.Run{run}, err
	}
	lengths := make([]int, len(t.Branches)) // of each branch, what leads to it left out
	for i, b := range t.Branches {
		run := play.Run{Name: fmt.Sprintf("%s, part %d", name, i+1)}
		if run.Prefix, err = r.steps(b.Prefix); err == nil {
			run.Cycle, err = r.steps(b.Cycle)
		}
		if err != nil {
			return nil, err
		}
		lengths[i] = len(run.Prefix) + len(run.Cycle)
		if b.From != nil {
			at := 0
			if b.At != nil {
				at = *b.At
			}
			if *b.From < 0 || *b.From >= i || at < 0 {
				return nil, fmt.Errorf("branch %d begins in branch %d, which does not come before it", i, *b.From)
			}
			before := &runs[*b.From]
			whole := append(append([]petri.Transition{}, before.Prefix...), before.Cycle...)
			if own := lengths[*b.From]; at > own {
				return nil, fmt.Errorf("branch %d begins after %d steps of branch %d, which has %d", i, at, *b.From, own)
			}
			at += len(whole) - lengths[*b.From]
			run.Prefix = append(whole[:at], run.Prefix...)
		}
		runs = append(runs, run)
	}
	return runs, nil
}

// steps returns the transitions that steps fire.
func (r *runReader) steps(told []told.Step) (list []petri.Transition, err error) {
	for _, s := range told {
		t := play.Stay
		if !s.Deadlock {
			if t, err = r.transition(s); err != nil {
				return nil, err
			}
		}
		times := max(1, s.Times)
		if times > mostPlayed-int64(len(list)) {
			return nil, fmt.Errorf("a run of more than %d steps is not played", mostPlayed)
		}
		for range times {
			list = append(list, t)
		}
	}
	return list, nil
}

// transition finds the transition that a step names: by its identifier, by its name, or by
// that of a coloured transition with the binding.
func (r *runReader) transition(s told.Step) (petri.Transition, error) {
	if t, known := r.net.TransitionByID(s.Transition); known {
		return t, nil
	}
	if r.coloured != nil {
		if r.byName == nil {
			r.byName = make(map[string]petri.Transition, r.net.Transitions())
			for t := range petri.Transition(r.net.Transitions()) {
				r.byName[r.net.TransitionLabel(t).Name] = t
			}
		}
		for i := range r.coloured.Transitions {
			if c := &r.coloured.Transitions[i]; c.ID == s.Transition {
				if t, known := r.byName[bindingName(c, s.Binding)]; known {
					return t, nil
				}
			}
		}
		if t, known := r.byName[s.Name]; known && s.Name != "" {
			return t, nil
		}
	}
	return 0, fmt.Errorf("the net has no transition %q", s.Transition)
}

// bindingName returns what the unfolded net calls a binding of a transition.
func bindingName(t *symmetric.Transition, binding map[string]string) string {
	name := t.Name
	if name == "" {
		name = t.ID
	}
	var parts []string
	for _, v := range t.Variables {
		parts = append(parts, v.Name+"="+binding[v.Name])
	}
	if len(parts) == 0 {
		return name
	}
	return name + "[" + strings.Join(parts, ",") + "]"
}

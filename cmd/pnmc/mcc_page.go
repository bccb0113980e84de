package main

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/urfave/cli/v2"

	"pnmc/checker"
	"pnmc/cmd/pnmc/internal/exit"
	"pnmc/cmd/pnmc/internal/output"
	"pnmc/cmd/pnmc/internal/page"
	"pnmc/cmd/pnmc/internal/told"
	"pnmc/internal/unpack"
	"pnmc/mcc/batch/history"
)

// contestPages collects answers of an examination for a page. It is written when the
// examination is over, so that no answer waits for it. What is answered later has no line either: the page
// and the lines tell the same.
type contestPages struct {
	c             *cli.Context
	folder, model string // of the model, and what it is called
	path, name    string // of the page, of the examination
	memory        int64

	mutex   sync.Mutex
	problem checker.Problem
	answers []told.Decided
	over    bool // the page is begun
	start   time.Time
}

// newContestPages makes the folder that --trace names; without it there is no page.
func newContestPages(c *cli.Context, folder, name string, memory int64) (*contestPages, error) {
	to := c.String("trace")
	if to == "" {
		return nil, nil
	}
	if err := os.MkdirAll(to, 0o755); err != nil {
		return nil, exit.InputError(err)
	}
	whole, err := filepath.Abs(folder)
	if err != nil {
		return nil, exit.InputError(err)
	}
	instance := filepath.Base(whole)
	if called := filepath.Base(c.String("input")); c.String("input") != "" && filepath.IsLocal(called) {
		instance = called
	}
	p := &contestPages{c: c, folder: folder, model: instance + ".pnml", name: name, memory: memory, start: time.Now()}
	p.path = filepath.Join(to, history.Job{Instance: instance, Examination: name}.PageName())
	return p, output.Try(p.path)
}

// kindOfQuestion returns the kind of a question, as JSON has it. Sizes of the state space have
// none.
func kindOfQuestion(q checker.Question) told.Kind {
	switch q.(type) {
	case checker.Linear:
		return told.LTL
	case checker.Automaton:
		return told.Automaton
	case checker.Branching:
		return told.CTL
	case checker.Reachable:
		return told.Reachable
	case checker.Invariant:
		return told.Invariant
	case checker.Bound:
		return told.Bound
	case checker.Deadlock:
		return told.Deadlock
	case checker.QuasiLive:
		return told.QuasiLive
	case checker.Live:
		return told.Live
	case checker.OneSafe:
		return told.Safe
	case checker.StableMarking:
		return told.Stable
	}
	return ""
}

// add keeps an answer, and has its line written, unless the page is begun. It may be called from several goroutines.
func (p *contestPages) add(name string, problem checker.Problem, question checker.Question, answer checker.Answer, write func()) {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	if p.over {
		return
	}
	write()
	p.problem = problem
	if kind := kindOfQuestion(question); kind != "" {
		p.answers = append(p.answers, told.Decided{Name: name, Kind: kind, Question: question, Answer: answer, Spent: time.Since(p.start)})
	}
}

// write writes the page, if there is an answer to show.
func (p *contestPages) write() error {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	p.over = true
	if len(p.answers) == 0 {
		return nil
	}
	o, err := output.Create(p.path)
	if err != nil {
		return err
	}
	output.NoteUnfinished(p.c.Context, o, false)
	f := page.Of(p.c, o, p.model, func(use func(r io.Reader, file string) error) error {
		model, err := unpack.Open(filepath.Join(p.folder, "model.pnml"), p.memory)
		if err != nil {
			return err
		}
		defer model.Close()
		return use(model, model.Name)
	})
	of, vocabulary := page.Subject{Net: p.problem.Net, Coloured: p.problem.Coloured}, p.problem.Vocabulary()
	for _, d := range p.answers {
		d.Problem, d.Vocabulary = &p.problem, vocabulary
		if err := f.Add(of, page.AnswerOf(p.c, d, told.Of(d))); err != nil {
			o.Discard()
			return fmt.Errorf("%s: %w", d.Name, err)
		}
	}
	if err := f.Finish(of); err != nil {
		o.Discard()
		return err
	}
	return o.Keep()
}

package mcc

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"reflect"
	"runtime/debug"
	"sync"
	"time"

	"pnmc/automata"
	"pnmc/checker"
	"pnmc/internal/unpack"
	"pnmc/logic"
	"pnmc/petri"
	"pnmc/petri/symmetric"
	"pnmc/pnml"
	"pnmc/query"
)

// Options direct a run.
type Options struct {
	// Time is what the run may take, from Start on; it ends a little earlier.
	Time  time.Duration
	Start time.Time
	// MemoryBytes is what the process may use; 0: no limit.
	MemoryBytes int64
	// Explain, unless nil, is told which engine decided what, and when.
	Explain io.Writer
	// Warn, unless nil, is told what is wrong with the model that no answer suffers from:
	// a false claim of its units.
	Warn func(warning string)
	// Seed drives random choices.
	Seed uint64
	// Translator, unless nil, translates negated formulas of LTL that package
	// translate does not in time; called from several goroutines.
	Translator func(ctx context.Context, s *logic.Formulas, negated *logic.Formula) (*automata.Automaton, error)
}

// run is one examination of one model.
type run struct {
	options         Options
	examination     string
	start, deadline time.Time
	whole           context.Context // of the run; phases have less
	net             *petri.Net
	names           *names
	compiler        *compiler
	properties      []Property
	board           *board
	always          Techniques // that every answer of board rests on
	answers         *answers
	budget          petri.Budget
	tokens          *tokens // of StateSpace
	// beside is what goes on beside the plan: examining the coloured net.
	beside sync.WaitGroup

	notAsked *UnreadError // properties that could not be put as questions

	facts factsMemory

	shared  sync.Mutex // guards what follows
	reduced *reducedNet
	graph   *graphNet
}

// Run answers an examination of the model in folder on out, one line an answer,
// each as soon as it is known. What cannot be decided in time is left out. The
// error tells of an unknown examination, files that cannot be read, or answers
// that cannot be written; no answer is wrong for it. If it is an *UnreadError, only some
// properties cannot be used: lines tell that they were given up, and the others are
// answered.
func Run(ctx context.Context, folder, name string, options Options, out io.Writer) error {
	for _, e := range examinations() {
		if e.name == name {
			return answer(ctx, folder, &e, options, out)
		}
	}
	return fmt.Errorf("unknown examination %q, expected one of %v", name, Examinations())
}

// answer is Run for an examination as the table has it.
func answer(ctx context.Context, folder string, e *examination, options Options, out io.Writer) error {
	if options.Start.IsZero() {
		options.Start = time.Now()
	}
	if options.Time <= 0 {
		options.Time = time.Hour
	}
	r := &run{options: options, examination: e.name, start: options.Start}
	r.deadline = r.start.Add(usable(options.Time))
	ctx, cancel := context.WithDeadline(ctx, r.deadline)
	defer cancel()
	r.whole = ctx
	if options.MemoryBytes > 0 {
		r.budget.MemoryBytes = options.MemoryBytes / 100 * memoryShare
		debug.SetMemoryLimit(options.MemoryBytes / 100 * (memoryShare + 15))
	}
	r.answers = &answers{out: out, explain: options.Explain, start: r.start, given: make(map[string]string)}
	if options.MemoryBytes > 0 {
		go r.watchMemory(ctx, cancel)
	}
	finished := make(chan error, 1)
	go func() { finished <- r.examine(ctx, cancel, folder, e) }()
	var err error
	select {
	case err = <-finished:
	case <-ctx.Done():
		// Engines notice soon when all is answered. Once the time is over they can
		// answer no more, and are left behind.
		if ctx.Err() == context.Canceled {
			select {
			case err = <-finished:
			case <-time.After(patience):
			}
		}
	}
	unread, closing := r.answers.close()
	if err = errors.Join(err, closing); err != nil || unread == nil {
		return err
	}
	return unread
}

// examine reads, asks, and runs the plan. It calls stop when all is answered.
func (r *run) examine(ctx context.Context, stop context.CancelFunc, folder string, e *examination) error {
	source, err := r.read(folder, e.file)
	if err != nil {
		return err
	}
	defer r.warn()
	if source != nil {
		if r.sortOut(source); e.file && len(r.properties) == 0 {
			return nil
		}
		if unfolded, err := r.unfold(ctx, stop, source, e); !unfolded {
			return err
		}
	}
	r.compiler = &compiler{names: r.names}
	r.board = &board{net: r.net, answers: r.answers, always: r.always}
	if e.simplify {
		end := r.start.Add(time.Duration(float64(r.deadline.Sub(r.start)) * simplifyUntil))
		simplifying, done := context.WithDeadline(ctx, end)
		defer done()
		r.compiler.known = r.simplifier(simplifying)
	}
	if err := e.ask(r); err != nil {
		return err
	}
	r.board.lookAtInitial()
	r.answers.giveUp(r.notAsked)
	r.board.allDone = stop // not earlier: one answer may come before the next question
	if r.examination == "StateSpace" || r.board.openCount > 0 {
		r.follow(ctx, e.plan)
	}
	if r.board.openCount > 0 {
		r.beside.Wait()
	}
	return nil
}

// simplifier simplifies predicates by invariants, which is cheap, and then by the
// state equation, until ctx ends.
func (r *run) simplifier(ctx context.Context) func(*logic.Predicate) (*logic.Predicate, Techniques) {
	facts := r.factsOf(ctx, r.net)
	s := checker.NewSimplifier(checker.NewStateEquation(r.net), simplifyEach)
	return func(p *logic.Predicate) (*logic.Predicate, Techniques) {
		by := Techniques(0)
		q := settledWithin(r.net, p, facts)
		if !reflect.DeepEqual(p, q) {
			by |= Topological
		}
		if p = s.Simplify(ctx, q); !reflect.DeepEqual(p, q) {
			by |= StateEquation
		}
		return p, by
	}
}

// read reads the model, and the properties if there is a file of them. A net
// with colours is returned, as it is; one without is r's.
func (r *run) read(folder string, file bool) (*symmetric.Net, error) {
	model, err := unpack.Open(filepath.Join(folder, "model.pnml"), r.options.MemoryBytes)
	if err != nil {
		return nil, err
	}
	defer model.Close()
	document, err := pnml.ReadDocument(model, model.Name, pnml.Options{})
	if err != nil {
		return nil, err
	}
	if r.net = document.Net; r.net != nil {
		r.names = namesOf(r.net)
	}
	if !file {
		return document.Symmetric, nil
	}
	text, path, err := unpack.ReadFile(filepath.Join(folder, r.examination+".xml"), r.options.MemoryBytes)
	if err != nil {
		return nil, err
	}
	r.properties, err = query.ReadContest(path, text)
	if unread := (*UnreadError)(nil); errors.As(err, &unread) {
		if len(r.properties) == 0 {
			return nil, unread.Err
		}
		r.answers.giveUp(unread)
		err = nil
	}
	return document.Symmetric, err
}

// bytesPerNode is about what a node of an unfolded net takes, with what engines
// build beside it.
const bytesPerNode = 4000

// mostNodes bounds unfolded nets by the memory there is.
func (r *run) mostNodes() int {
	if r.options.MemoryBytes == 0 {
		return symmetric.DefaultMaxNodes
	}
	return int(min(symmetric.DefaultMaxNodes, r.options.MemoryBytes/bytesPerNode))
}

// warn tells of a claim of the net's units that was found to be false.
func (r *run) warn() {
	if r.options.Warn == nil || r.net == nil || r.net.FalseClaim() == nil {
		return
	}
	r.answers.mutex.Lock()
	defer r.answers.mutex.Unlock()
	if !r.answers.closed {
		r.options.Warn(r.net.FalseClaim().String())
	}
}

// note tells explain something.
func (r *run) note(format string, arguments ...any) {
	if r.options.Explain != nil {
		r.answers.mutex.Lock()
		defer r.answers.mutex.Unlock()
		if r.answers.closed {
			return
		}
		fmt.Fprintf(r.options.Explain, "%8.3fs %s\n", time.Since(r.start).Seconds(), fmt.Sprintf(format, arguments...))
	}
}

// engine runs one phase.
func (r *run) engine(ctx context.Context, p phase) {
	r.note("begin: %s", p.name)
	// An engine with a defect is left out; the others go on.
	defer func() {
		if defect := recover(); defect != nil {
			r.note("defect: %s: %v\n%s", p.name, defect, debug.Stack())
		}
	}()
	p.engine(ctx, r)
	r.note("end: %s", p.name)
}

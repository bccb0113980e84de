package smtlib

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"time"

	"pnmc/internal/process"
)

// Result is the answer to a question whether assertions can be satisfied.
type Result uint8

// The results.
const (
	Unknown Result = iota
	Satisfiable
	Unsatisfiable
)

// Session is a solver at work. Not safe for concurrent use.
type Session struct {
	// Rest, unless nil, is called with what waits for an answer that takes long.
	Rest func(wait func())

	ctx        context.Context
	stop       context.CancelFunc
	detach     func() bool // from the end of ctx
	command    *exec.Cmd
	input      *os.File // of the solver
	output     *os.File
	commands   bytes.Buffer
	answers    reader
	complaints *beginning
	ended      chan struct{} // closed once the process has ended
	err        error         // after which nothing is asked
	questions  int
}

// header is what every session begins with. Nothing is answered to it.
const header = `(set-option :print-success false)
(set-option :produce-models true)
(set-option :produce-unsat-assumptions true)
(set-logic QF_LIA)
`

// Limits on a process.
const (
	outputPatience = 500 * time.Millisecond // for pipes that its children hold
	shortAnswer    = 3 * time.Millisecond   // that is waited for without Rest
)

// ErrLarge says that a value does not fit into 64 bits.
var ErrLarge = errors.New("a value of the solver's model has more than 64 bits")

// ErrEnded says that the solver has ended though nobody asked for that.
var ErrEnded = errors.New("the solver ended")

// Start starts the solver. It ends with ctx, or by Close, which has to be called. With memory above 0 its
// address space is bounded by so many bytes where the system can (on Linux).
func (c *Command) Start(ctx context.Context, memory int64) (*Session, error) {
	theirInput, input, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	defer theirInput.Close()
	output, theirOutput, err := os.Pipe()
	if err != nil {
		return nil, errors.Join(err, input.Close())
	}
	defer theirOutput.Close()
	running, stop := context.WithCancel(ctx)
	s := &Session{
		ctx: ctx, stop: stop, input: input, output: output, complaints: &beginning{}, ended: make(chan struct{}),
		command: exec.CommandContext(running, c.words[0], c.words[1:]...),
	}
	s.answers.text = bufio.NewReader(output)
	s.commands.WriteString(header)
	s.command.Stdin, s.command.Stdout, s.command.Stderr = theirInput, theirOutput, s.complaints
	s.command.WaitDelay = outputPatience
	process.OwnGroup(s.command)
	started := make(chan error)
	go s.run(started, memory)
	if err := <-started; err != nil {
		stop()
		return nil, errors.Join(err, input.Close(), output.Close())
	}
	s.detach = context.AfterFunc(running, s.closePipes)
	return s, nil
}

// run starts the process, reports that, and waits until it has ended. One goroutine does both, as the
// process ends with the thread that started it.
func (s *Session) run(started chan<- error, memory int64) {
	defer close(s.ended)
	defer process.DieTogether(s.command)()
	err := s.command.Start()
	if err == nil && memory > 0 {
		_ = process.LimitMemory(s.command.Process.Pid, memory) // it works without
	}
	started <- err
	if err == nil {
		_ = s.command.Wait() // how it ended does not matter: answers do
		process.EndGroup(s.command)
	}
}

// closePipes ends whoever waits for the process. Closing a pipe twice does no harm.
func (s *Session) closePipes() {
	_ = s.input.Close()
	_ = s.output.Close()
}

// Close ends the process, and waits until it has ended.
func (s *Session) Close() {
	s.detach()
	s.stop()
	s.closePipes()
	<-s.ended
	s.err = cmp.Or(s.err, ErrEnded)
}

// Questions returns how many there were whether something can be satisfied.
func (s *Session) Questions() int { return s.questions }

// Tell adds a command that has no answer. It is sent with the next question.
func (s *Session) Tell(format string, arguments ...any) {
	fmt.Fprintf(&s.commands, format, arguments...)
	s.commands.WriteByte('\n')
}

// Check asks whether what was asserted can be satisfied together with assumptions, which are names of
// Boolean constants.
func (s *Session) Check(assumptions ...string) (Result, error) {
	s.questions++
	question := "(check-sat)"
	if len(assumptions) > 0 {
		question = "(check-sat-assuming (" + strings.Join(assumptions, " ") + "))"
	}
	answer, err := s.ask(question)
	if err != nil {
		return Unknown, err
	}
	switch answer.Word {
	case "sat":
		return Satisfiable, nil
	case "unsat":
		return Unsatisfiable, nil
	case "unknown":
		return Unknown, nil
	}
	return Unknown, s.wrong("sat, unsat or unknown", answer)
}

// Core asks which of the assumptions the last answer, unsat, rests on.
func (s *Session) Core() (map[string]bool, error) {
	answer, err := s.ask("(get-unsat-assumptions)")
	if err != nil {
		return nil, err
	}
	core := make(map[string]bool)
	for _, e := range answer.List {
		if e.IsList {
			return nil, s.wrong("a list of assumptions", answer)
		}
		core[e.Word] = true
	}
	if !answer.IsList {
		return nil, s.wrong("a list of assumptions", answer)
	}
	return core, nil
}

// Values asks for the values that integer constants have in the model of the last answer, sat.
func (s *Session) Values(names []string) ([]int64, error) {
	if len(names) == 0 {
		return nil, s.err
	}
	answer, err := s.ask("(get-value (" + strings.Join(names, " ") + "))")
	if err != nil {
		return nil, err
	}
	if !answer.IsList || len(answer.List) != len(names) {
		return nil, s.wrong("a value for each name", answer)
	}
	values := make([]int64, len(names))
	for i, pair := range answer.List {
		ok := len(pair.List) == 2 && pair.List[0].Word == names[i]
		if ok {
			if values[i], ok = pair.List[1].Integer(); !ok && pair.List[1].isLarge() {
				return nil, ErrLarge
			}
		}
		if !ok {
			return nil, s.wrong("a name with its value", pair)
		}
	}
	return values, nil
}

// wrong ends the session with an answer that is none.
func (s *Session) wrong(expected string, found Expression) error {
	s.err = fmt.Errorf("the solver's answer: expected %s, found %s", expected, found)
	return s.err
}

// ask sends all commands, and reads the answer to the last one. A goroutine does so: a process that does
// not read fills the pipe, and one that does not write is waited for.
func (s *Session) ask(question string) (answer Expression, err error) {
	if s.err != nil {
		return Expression{}, s.err
	}
	s.commands.WriteString(question)
	s.commands.WriteByte('\n')
	done := make(chan struct{})
	go func() {
		defer close(done)
		if _, err = s.commands.WriteTo(s.input); err != nil {
			return
		}
		s.answers.left = maxAnswer
		answer, err = s.answers.read(0)
	}()
	s.await(done)
	s.commands.Reset()
	if err != nil {
		s.err = s.reason(err)
		return Expression{}, s.err
	}
	return answer, nil
}

// await waits for an answer, with Rest if it takes long.
func (s *Session) await(done <-chan struct{}) {
	if s.Rest != nil {
		short := time.NewTimer(shortAnswer)
		defer short.Stop()
		select {
		case <-done:
			return
		case <-short.C:
			s.Rest(func() { <-done })
			return
		}
	}
	<-done
}

// reason returns why there is no answer: the context ended, or the process did, or it wrote something
// else.
func (s *Session) reason(err error) error {
	if cause := context.Cause(s.ctx); cause != nil {
		return cause
	}
	if errors.Is(err, io.EOF) || errors.Is(err, os.ErrClosed) || errors.As(err, new(*os.PathError)) {
		s.stop()
		<-s.ended
		if complaint := s.complaints.firstLine(); complaint != "" {
			return fmt.Errorf("%w: %s", ErrEnded, complaint)
		}
		return fmt.Errorf("%w: %v", ErrEnded, s.command.ProcessState)
	}
	return fmt.Errorf("the solver's answer: %w", err)
}

// beginning keeps the first bytes of what is written to it.
type beginning struct{ text []byte }

// maxComplaint bounds what is kept of what a solver writes to its standard error.
const maxComplaint = 4 << 10

// Write takes all, and keeps the beginning.
func (b *beginning) Write(p []byte) (int, error) {
	b.text = append(b.text, p[:min(len(p), maxComplaint-len(b.text))]...)
	return len(p), nil
}

// firstLine returns the first line that is not empty.
func (b *beginning) firstLine() string {
	line, _, _ := strings.Cut(strings.TrimSpace(string(b.text)), "\n")
	return line
}

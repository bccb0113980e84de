package measure

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"time"

	"pnmc/checker"
	"pnmc/checker/product"
	"pnmc/experiment"
	"pnmc/hoa"
	"pnmc/internal/process"
	"pnmc/petri"
)

// A measuringProcess is a Measurer in a process of its own, pnmc measure: what its
// neighbours hold is not in its memory, and their collector does not take its time. It is
// started with the first measurement, and again after one that it did not survive. The two
// exchange JSON: a measurePlan, then a measureRequest and a
// measureReply for each measurement.
type measuringProcess struct {
	complaints io.Writer // its standard error
	plan       *experiment.Plan
	command    *exec.Cmd // nil: not started
	release    func()
	input      io.WriteCloser
	encoder    *json.Encoder
	decoder    *json.Decoder
}

// measurePlan is what is the same for all measurements of a process.
type measurePlan struct {
	Net                               sentNet
	Facts                             petri.Facts
	Distrust, Built, GraphFirst, Full bool
	Limit                             time.Duration
	MemoryBytes                       int64
}

// measureRequest asks for a measurement.
type measureRequest struct {
	Automaton  string   // in HOA
	Predicates []string // of its propositions
	Approach   product.Approach
}

// measureReply is the measurement, or the text of an error.
type measureReply struct {
	Measurement product.Measurement
	Failure     string
	Refuted     string // a unit that the net falsely claims to be safe, or empty
}

// leftToEnd is how long a process's output is waited for once it is to end.
const leftToEnd = 2 * time.Second

// Measure lets the process measure.
func (p *measuringProcess) Measure(ctx context.Context, property experiment.Property, approach product.Approach) (product.Measurement, error) {
	request := measureRequest{Approach: approach}
	var text strings.Builder
	if err := hoa.Write(ctx, &text, property.Automaton, hoa.Options{}); err != nil {
		return product.Measurement{}, err
	}
	request.Automaton = text.String()
	names := checker.Vocabulary(p.plan.Net)
	for _, predicate := range property.Predicates {
		request.Predicates = append(request.Predicates, predicate.Text(names))
	}
	var reply measureReply
	err := p.start(ctx)
	if err == nil {
		err = p.encoder.Encode(request)
	}
	if err == nil {
		err = p.decoder.Decode(&reply)
	}
	switch {
	case err != nil && p.command == nil:
		return reply.Measurement, fmt.Errorf("measuring in a process of its own: %w", err)
	case err != nil:
		return p.ended(ctx, err)
	case reply.Failure != "":
		return reply.Measurement, errors.New(reply.Failure)
	}
	if units := p.plan.Net.NUPN(); units != nil && reply.Refuted != "" {
		for _, u := range units.Units {
			if u.ID == reply.Refuted {
				p.plan.Net.Refute(u.Places...)
			}
		}
	}
	return reply.Measurement, nil
}

// start starts the process and gives it the plan, if there is none.
func (p *measuringProcess) start(ctx context.Context) error {
	if p.command != nil {
		return nil
	}
	program, err := os.Executable()
	if err != nil {
		return err
	}
	command := exec.CommandContext(ctx, program, CommandName)
	command.Stderr = p.complaints
	command.WaitDelay = leftToEnd
	input, err := command.StdinPipe()
	if err != nil {
		return err
	}
	output, err := command.StdoutPipe()
	if err != nil {
		return err
	}
	process.Apart(command)
	release := process.DieTogether(command)
	if err := command.Start(); err != nil {
		release()
		return err
	}
	p.command, p.release, p.input = command, release, input
	p.encoder, p.decoder = json.NewEncoder(input), json.NewDecoder(output)
	return p.encoder.Encode(measurePlan{
		Net: newSentNet(p.plan.Net), Facts: p.plan.Facts, Distrust: p.plan.Settings.Distrust, Built: p.plan.Settings.Built,
		GraphFirst: p.plan.GraphFirst, Full: p.plan.Full, Limit: p.plan.Limit, MemoryBytes: p.plan.Budget.MemoryBytes,
	})
}

// ended returns the measurement of a process that ended before it told one: the next one is
// another process's.
//
// How it has ended says what to tell. After an interruption the measurement has not been made,
// and will be. A process that exits by itself has a mistake that it told on standard error: the
// row says that it crashed. One that a signal has ended was most likely killed by the system for
// its memory: the row has no verdict, as after any limit. In both cases the next measurement
// starts another process, so that one property cannot take the others with it.
func (p *measuringProcess) ended(ctx context.Context, broken error) (product.Measurement, error) {
	err := p.Close()
	var exit *exec.ExitError
	unmeasured := product.Measurement{FullStates: -1, FullTransitions: -1}
	switch {
	case ctx.Err() != nil:
		return product.Measurement{}, context.Cause(ctx)
	case errors.As(err, &exit) && exit.Exited():
		unmeasured.Reason = fmt.Sprintf("%s: the process of the measurement ended: %v", experiment.Crashed, err)
		return unmeasured, nil
	case errors.As(err, &exit):
		unmeasured.Reason = fmt.Sprintf("the process of the measurement was ended, perhaps for want of memory: %v", err)
		return unmeasured, nil
	}
	return product.Measurement{}, errors.Join(broken, err)
}

// Close ends the process, which does when its input does.
func (p *measuringProcess) Close() error {
	if p.command == nil {
		return nil
	}
	p.input.Close()
	err := p.command.Wait()
	p.release()
	p.command = nil
	return err
}

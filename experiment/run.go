package experiment

import (
	"context"
	"errors"
	"sync"
	"time"

	"pnmc/checker"
	"pnmc/petri"
)

// Property is an automaton of a negated property with its place in a file.
type Property struct {
	Name string
	Line int
	checker.Property
}

// Plan says what to measure.
type Plan struct {
	Model      string
	Net        *petri.Net
	Facts      petri.Facts
	Budget     petri.Budget // of each job
	Properties []Property
	Approaches []checker.Approach
	Settings   checker.Settings // but for the approach
	// Full also explores the whole product where a property is violated.
	Full bool
	// Limit is the time that a job may take; 0 is any.
	Limit time.Duration
	// Parallel is the number of jobs at a time, at least 1.
	Parallel int
	// Done are the jobs to leave out.
	Done map[Key]bool
}

// Run measures each property by each approach and gives the records to emit, one
// at a time, in the order in which jobs end. Every job explores the net's state
// graph anew, so that times can be compared. It returns the first error of a job
// or of emit, or that of ctx.
func Run(ctx context.Context, p Plan, emit func(Record) error) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	type job struct {
		property Property
		approach checker.Approach
	}
	jobs := make(chan job)
	go func() {
		defer close(jobs)
		for _, property := range p.Properties {
			for _, approach := range p.Approaches {
				if p.Done[Key{p.Model, approach.String(), property.Line}] {
					continue
				}
				select {
				case jobs <- job{property, approach}:
				case <-ctx.Done():
					return
				}
			}
		}
	}()
	var workers sync.WaitGroup
	var emitting sync.Mutex
	for range max(1, p.Parallel) {
		workers.Add(1)
		go func() {
			defer workers.Done()
			for j := range jobs {
				record, err := p.measure(ctx, j.property, j.approach)
				if err == nil && ctx.Err() == nil {
					emitting.Lock()
					err = emit(record)
					emitting.Unlock()
				}
				if err != nil {
					cancel(err)
				}
			}
		}()
	}
	workers.Wait()
	return context.Cause(ctx)
}

// measure does one job.
func (p *Plan) measure(ctx context.Context, property Property, approach checker.Approach) (Record, error) {
	if p.Limit > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeoutCause(ctx, p.Limit, errors.New("time limit reached"))
		defer cancel()
	}
	settings := p.Settings
	settings.Approach = approach
	k := petri.NewKripke(p.Net, p.Facts, p.Budget)
	m, err := checker.Measure(ctx, k, property.Property, settings, p.Full)
	var unsupported *checker.UnsupportedError
	if errors.As(err, &unsupported) {
		m, err = checker.Measurement{Reason: err.Error(), FullStates: -1, FullTransitions: -1}, nil
	}
	if m.Verdict == checker.Holds { // the whole product was explored
		m.FullStates, m.FullTransitions = m.Explored.ProductStates, m.Explored.ProductTransitions
	}
	return recordOf(p.Model, property, approach, m), err
}

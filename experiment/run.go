package experiment

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"pnmc/checker/product"
	"pnmc/checker/properties"
	"pnmc/internal/account"
	"pnmc/petri"
)

// Property is an automaton of a negated property with its place in a file.
type Property struct {
	// Set names the file, so that several files can be compared.
	Set  string
	Line int
	Name string
	// Fingerprint, unless empty, distinguishes nets and properties of the same name.
	Fingerprint string
	properties.Property
}

// Plan says what to measure.
type Plan struct {
	Model      string
	Net        *petri.Net
	Facts      petri.Facts
	Budget     petri.Budget // of each job
	Properties []Property
	Approaches []product.Approach
	Settings   product.Settings // but for the approach
	// GraphFirst explores the net's whole state graph before, once for each job
	// at a time, so that times are those of labels and products alone. Otherwise
	// each job explores what it needs of it anew.
	GraphFirst bool
	// Full also explores the whole product where a property is violated.
	Full bool
	// Limit is the time that a job may take; 0 is any.
	Limit time.Duration
	// Parallel is the number of jobs at a time, at least 1.
	Parallel int
	// Measurer makes what measures one job after the other; InProcess of the plan if it
	// is nil. Jobs at a time must not share memory, or the limit ends one for what its
	// neighbour holds: each has a measurer of its own, in a process of its own.
	Measurer func() Measurer
	// Done are the jobs to leave out.
	Done map[Key]bool
	// Begin, unless nil, is called before each job, from several goroutines.
	Begin func(Key)
	// MayBegin, unless nil, reports whether there is time for another job; from several
	// goroutines. Measurements that were not begun are no error.
	MayBegin func() bool
}

// Run measures each property by each approach and gives the records to emit, one
// at a time, in the order in which they are made. It returns the first error of a
// measurement or of emit, or that of ctx.
func (p *Plan) Run(ctx context.Context, emit func(Record) error) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	properties := make(chan Property)
	go func() {
		defer close(properties)
		for _, property := range p.Properties {
			if len(p.left(property)) == 0 {
				continue
			}
			select {
			case properties <- property:
			case <-ctx.Done():
				return
			}
		}
	}()
	var workers sync.WaitGroup
	var emitting sync.Mutex
	var failed error // what emit said: a line that a full disk cut must be the last
	for range max(1, p.Parallel) {
		workers.Go(func() {
			m := p.measurer()
			for property := range properties {
				err := p.measure(ctx, m, property, func(r Record) error {
					emitting.Lock()
					defer emitting.Unlock()
					if failed == nil {
						failed = emit(r)
					}
					return failed
				})
				if err != nil {
					cancel(err)
				}
			}
			if err := m.Close(); err != nil {
				cancel(err)
			}
		})
	}
	workers.Wait()
	return context.Cause(ctx)
}

// Planned returns the number of measurements that the plan asks for, those that are done
// included.
func (p *Plan) Planned() int { return len(p.Properties) * len(p.Approaches) }

// Keys returns those of all measurements that the plan asks for.
func (p *Plan) Keys() (keys []Key) {
	for _, property := range p.Properties {
		for _, a := range p.Approaches {
			keys = append(keys, p.key(property, a))
		}
	}
	return keys
}

// key returns that of a job.
func (p *Plan) key(property Property, approach product.Approach) Key {
	return Key{p.Model, property.Set, approach.String(), property.Line}
}

// left returns the approaches by which a property has not been measured.
func (p *Plan) left(property Property) (approaches []product.Approach) {
	for _, a := range p.Approaches {
		if !p.Done[p.key(property, a)] {
			approaches = append(approaches, a)
		}
	}
	return approaches
}

// A Measurer measures properties of the net of a plan, one after the other.
type Measurer interface {
	// Measure measures a property by an approach within the limits of the plan. An error
	// is one of what measures, not of the property.
	Measure(ctx context.Context, property Property, approach product.Approach) (product.Measurement, error)
	// Close ends what measures.
	Close() error
}

// measurer returns one for the plan.
func (p *Plan) measurer() Measurer {
	if p.Measurer != nil {
		return p.Measurer()
	}
	return p.InProcess()
}

// measure measures a property by the approaches that are left.
func (p *Plan) measure(ctx context.Context, m Measurer, property Property, emit func(Record) error) error {
	for _, approach := range p.left(property) {
		if p.MayBegin != nil && !p.MayBegin() {
			return nil
		}
		if p.Begin != nil {
			p.Begin(p.key(property, approach))
		}
		measurement, err := m.Measure(ctx, property, approach)
		if err == nil && ctx.Err() == nil {
			err = emit(p.record(property, approach, measurement))
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// worker is a Measurer that works in this process.
type worker struct {
	plan     *Plan
	kripke   *petri.Kripke // the whole state graph, or nil
	tooLarge string        // why there is none with GraphFirst, or empty
}

// InProcess returns a Measurer that works in this process.
func (p *Plan) InProcess() Measurer { return &worker{plan: p} }

// Close does nothing.
func (w *worker) Close() error { return nil }

// explore asks for the edges of all states, depth first as the checks do, so that
// states have close numbers that these look at one after the other.
func explore(ctx context.Context, k *petri.Kripke) error {
	todo := []petri.StateID{k.Initial()}
	var met []bool
	k.Begin(ctx)
	for len(todo) > 0 {
		s := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if int(s) < len(met) && met[s] {
			continue
		}
		successors, err := k.Successors(s)
		if err != nil {
			return err
		}
		if err := account.Room(k.Account(), met, k.Len()-len(met)); err != nil {
			return err
		}
		if err := account.Room(k.Account(), todo, len(successors)); err != nil {
			return err
		}
		met = append(met, make([]bool, k.Len()-len(met))...)
		met[s] = true
		for _, next := range slices.Backward(successors) {
			if !met[next] {
				todo = append(todo, next)
			}
		}
	}
	return nil
}

// Measure measures a property by one approach. With GraphFirst the whole state graph is
// there before the first one; if it is too large, there are no verdicts.
func (w *worker) Measure(ctx context.Context, property Property, approach product.Approach) (product.Measurement, error) {
	p := w.plan
	if p.GraphFirst && w.kripke == nil && w.tooLarge == "" {
		k := petri.NewKripkeWithin(ctx, p.Net, p.Facts, p.Budget)
		if err := explore(ctx, k); err == nil {
			w.kripke = k
		} else if ctx.Err() == nil {
			w.tooLarge = fmt.Sprintf("exploring the state graph first, %d states so far: %v", k.Len(), err)
		} else {
			return product.Measurement{}, context.Cause(ctx)
		}
	}
	if w.tooLarge != "" {
		return unmeasured(w.tooLarge), nil
	}
	if p.Limit > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeoutCause(ctx, p.Limit, errTimeLimit)
		defer cancel()
	}
	settings := p.Settings
	settings.Approach = approach
	k := w.kripke
	if k == nil {
		k = petri.NewKripkeWithin(ctx, p.Net, p.Facts, p.Budget)
	}
	m, err := product.Measure(ctx, k, property.Property, settings, p.Full)
	var unsupported *product.UnsupportedError
	if errors.As(err, &unsupported) {
		return unmeasured(err.Error()), nil
	}
	return m, err
}

// unmeasured returns a measurement without a verdict.
func unmeasured(reason string) product.Measurement {
	return product.Measurement{Reason: reason, FullStates: -1, FullTransitions: -1}
}

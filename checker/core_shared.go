package checker

import (
	"context"
	"fmt"
	"sync"
	"time"

	"pnmc/automata"
	"pnmc/checker/internal/lanes"
	"pnmc/logic/ltl"
	"pnmc/petri"
)

// settings are the options of a solver that engines look at.
type settings struct {
	// memoryBytes is what the process may use; 0: no limit.
	memoryBytes int64
	// seed drives random choices.
	seed uint64
	// patience is how long a marking that is known to be reachable waits for a run that shows
	// it, and how long random runs go on without a deadline; 0: as long as is usual.
	patience time.Duration
	// explain, unless nil, is told what engines do.
	explain func(message string)
	// translator, unless nil, translates negated formulas that package translate does not in
	// time.
	translator func(ctx context.Context, s *ltl.Formulas, negated *ltl.Formula) (*automata.Automaton, error)
}

// shared is what the tasks of a solver share: how they are to work, the memory there is, and
// what one finds that serves others.
type shared struct {
	settings
	budget petri.Budget     // of engines
	turns  *lanes.Turnstile // of lanes; nil: all work at the same time
	kept   *kept            // for later questions

	explaining sync.Mutex

	mutex sync.Mutex // guards what follows
	facts map[*petri.Net]*factsMemory
}

// memoryShare is the part of the memory that engines may fill, in percent: the
// rest is for what the garbage collector has not returned yet.
const memoryShare = 60

// newShared shares out work to so many threads; 0: as many as there are engines.
func newShared(s settings, threads int) *shared {
	return &shared{
		settings: s, budget: petri.Budget{MemoryBytes: max(0, s.memoryBytes) / 100 * memoryShare}, turns: lanes.NewTurnstile(threads),
		kept: newKept(), facts: make(map[*petri.Net]*factsMemory),
	}
}

// close drops all that was found.
func (s *shared) close() {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	s.kept.mutex.Lock()
	s.kept.clear()
	s.kept.mutex.Unlock()
	clear(s.facts)
}

// factsAbout is where what is proven of a net is kept.
func (s *shared) factsAbout(net *petri.Net) *factsMemory {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if s.facts[net] == nil {
		if len(s.facts) > mostNetFacts {
			clear(s.facts)
		}
		s.facts[net] = new(factsMemory)
	}
	return s.facts[net]
}

// note tells Explain something, unless no Decide is under way.
func (s *shared) note(format string, arguments ...any) {
	if s.explain == nil {
		return
	}
	message := fmt.Sprintf(format, arguments...)
	s.explaining.Lock()
	defer s.explaining.Unlock()
	s.explain(message)
}

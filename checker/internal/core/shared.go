package core

import (
	"context"
	"fmt"
	"runtime"
	"sync"
	"time"

	"pnmc/automata"
	"pnmc/checker/inquiry"
	"pnmc/checker/internal/lanes"
	"pnmc/internal/smtlib"
	"pnmc/logic/ltl"
	"pnmc/petri"
	"pnmc/petri/disk"
)

// Settings are the options of a solver that engines look at.
type Settings struct {
	// MemoryBytes is what the process may use; 0: no limit.
	MemoryBytes int64
	// Seed drives random choices.
	Seed uint64
	// Without has the techniques that are not to be used.
	Without inquiry.Techniques
	// Patience is how long a marking that is known to be reachable waits for a run that shows
	// it. It is also how long random runs go on without a deadline. 0 means the usual time.
	Patience time.Duration
	// Explain, unless nil, is told what engines do.
	Explain func(message string)
	// Solver, unless nil, is a solver modulo theories that engines may ask.
	Solver *smtlib.Command
	// Disk, unless nil, is where markings go that memory has no room for.
	Disk *disk.Folder
	// Warn, unless nil, is told that a program which engines asked has a defect, or that there is no more
	// room on disk.
	Warn func(warning string)
	// Translator, unless nil, translates negated formulas that package translate does not in
	// time.
	Translator func(ctx context.Context, s *ltl.Formulas, negated *ltl.Formula) (*automata.Automaton, error)
}

// Shared is what the tasks of a solver share: how they are to work, the memory there is, and
// what one finds that serves others.
type Shared struct {
	Settings
	Budget petri.Budget     // of engines
	Turns  *lanes.Turnstile // of lanes; nil: all work at the same time
	Kept   *Kept            // for later questions
	crowd  bool             // all lanes work at the same time, on one processor

	explaining sync.Mutex
	warned     sync.Once
	diskWarned sync.Once
	// Searching is held by the search on disk: there is memory, and a folder, for one.
	Searching sync.Mutex

	mutex sync.Mutex // guards what follows
	facts map[*petri.Net]*FactsMemory
}

// memoryShare is the part of the memory that engines may fill, in percent: the
// rest is for what the garbage collector has not returned yet.
const memoryShare = 60

// NewShared returns what tasks share whose engines work on so many threads; 0: as many as there are
// engines.
func NewShared(s Settings, threads int) *Shared {
	if s.Solver == nil {
		s.Without |= inquiry.SolverModuloTheories
	}
	return &Shared{
		Settings: s, Budget: petri.Budget{MemoryBytes: max(0, s.MemoryBytes) / 100 * memoryShare}, Turns: lanes.NewTurnstile(threads),
		Kept: newKept(), facts: make(map[*petri.Net]*FactsMemory), crowd: threads <= 0 && runtime.GOMAXPROCS(0) == 1,
	}
}

// Uses reports whether a technique is to be used.
func (s *Shared) Uses(t inquiry.Techniques) bool { return s.Without&t == 0 }

// Close drops all that was found.
func (s *Shared) Close() {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	s.Kept.mutex.Lock()
	s.Kept.clear()
	s.Kept.mutex.Unlock()
	clear(s.facts)
}

// FactsAbout returns where what is proven of a net is kept.
func (s *Shared) FactsAbout(net *petri.Net) *FactsMemory {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if s.facts[net] == nil {
		if len(s.facts) > mostNetFacts {
			clear(s.facts)
		}
		s.facts[net] = new(FactsMemory)
	}
	return s.facts[net]
}

// Complain tells, once, that the solver modulo theories has a defect.
func (s *Shared) Complain(err error) {
	s.warned.Do(func() {
		if s.Warn != nil {
			s.Warn(fmt.Sprintf("the SMT solver %s fails: %v", s.Solver, err))
		}
	})
}

// TellDisk tells, once, why a search on disk has ended.
func (s *Shared) TellDisk(err error) {
	s.diskWarned.Do(func() {
		if s.Warn != nil {
			s.Warn(fmt.Sprintf("the search for markings on disk ends: %v", err))
		}
	})
}

// DiskBudget is what a search on disk may fill: half way between what other engines may, which are at
// work beside it, and the limit of the process.
func (s *Shared) DiskBudget() petri.Budget {
	return petri.Budget{MemoryBytes: s.MemoryBytes / 100 * (100 + memoryShare) / 2}
}

// Note passes a message on to Explain, if there is one, one at a time.
func (s *Shared) Note(format string, arguments ...any) {
	if s.Explain == nil {
		return
	}
	message := fmt.Sprintf(format, arguments...)
	s.explaining.Lock()
	defer s.explaining.Unlock()
	s.Explain(message)
}

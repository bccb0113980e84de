package petri

import (
	"context"
	"fmt"
	"runtime/metrics"
)

// Budget limits an exploration. Time comes through a context.
type Budget struct {
	// MemoryBytes is the most memory the process may use, 0 for no limit.
	MemoryBytes int64
	// ProgramBytes is what the program's code and tables take of it.
	ProgramBytes int64
	// EdgeBytes is the most that a Kripke structure's kept edges take, 0 for a
	// third of MemoryBytes.
	EdgeBytes int64
	// LabelBytes is the most that the table of the labels of a Kripke structure's
	// states takes, 0 for a sixteenth of MemoryBytes.
	LabelBytes int64
}

// MemoryError tells that the memory budget is spent.
type MemoryError struct{ Limit int64 }

func (e *MemoryError) Error() string {
	return fmt.Sprintf("memory limit of %d MB reached", e.Limit>>20)
}

// pollWork is how many words of packed markings may be written, and perhaps
// kept, between two looks at the budget: a few megabytes.
const pollWork = 1 << 18

// Poll is for loops to call every few thousand states: it returns the reason to
// stop, the context's or a *MemoryError, or nil.
func (b Budget) Poll(ctx context.Context) error {
	if err := context.Cause(ctx); err != nil {
		return err
	}
	// An eighth is left for what grows before the next look.
	if b.MemoryBytes > 0 && memoryInUse()+b.ProgramBytes > b.MemoryBytes-b.MemoryBytes/8 {
		return &MemoryError{Limit: b.MemoryBytes}
	}
	return nil
}

// Free is how much of the memory is not yet taken by the program, its tables and
// what it holds now, garbage among that; at least an eighth of the whole.
func (b Budget) Free() int64 {
	return max(b.MemoryBytes-b.ProgramBytes-memoryInUse(), b.MemoryBytes/8)
}

// memoryInUse is what the process holds of the operating system's memory, as far
// as the language's runtime knows: the heap with garbage not yet collected.
func memoryInUse() int64 {
	samples := []metrics.Sample{
		{Name: "/memory/classes/total:bytes"},
		{Name: "/memory/classes/heap/released:bytes"},
	}
	metrics.Read(samples)
	return int64(samples[0].Value.Uint64() - samples[1].Value.Uint64())
}

package experiment

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"pnmc/internal/lazy"
)

// GrowthPlan says which state spaces to explore, to see how time and memory grow with them, and
// what several threads bring.
type GrowthPlan struct {
	Nets    []GrowthNet
	Threads []int
	// Runs is how often each exploration is made: machines have other work, so a median tells more.
	Runs int
	// Limit is the time that an exploration may take, MemoryBytes the memory; 0 is any.
	Limit       time.Duration
	MemoryBytes int64
	// Done are the explorations to leave out.
	Done map[Key]bool
	// Begin, unless nil, is called before each exploration.
	Begin func(Key)
}

// GrowthNet is a net by its name in tables, which no other has, and a text that distinguishes it
// from nets of the same name.
type GrowthNet struct{ Name, Fingerprint string }

// Explored is what an exploration found, and what it cost. Seconds are of the clock, as threads
// are to save these, and PeakBytes are those of the whole process. Reason says why it ended early.
type Explored struct {
	States, Transitions int64
	Seconds             float64
	PeakBytes           int64
	Reason              string
}

// GrowthRecord is what the exploration of a net with so many threads cost.
type GrowthRecord struct {
	Model   string
	Threads int
	Run     int // from 1 on
	Explored
	Conditions
}

// growthSet stands in keys where others have a file of properties.
const growthSet = "states"

// Key returns that of the measurement: the number of threads is the approach, the run the line.
func (r GrowthRecord) Key() Key {
	return Key{Model: r.Model, Set: growthSet, Approach: threadsName(r.Threads), Line: r.Run}
}

// threadsName returns a number of threads in words.
func threadsName(n int) string {
	if n == 1 {
		return "1 thread"
	}
	return fmt.Sprintf("%d threads", n)
}

// OfGrowth reports whether the key is that of an exploration.
func (k Key) OfGrowth() bool { return k.Set == growthSet }

// decided reports whether the exploration is complete.
func (r GrowthRecord) decided() bool { return r.Reason == "" }

// records returns one for each exploration, in the order in which they are made: those of a net one
// after the other, the numbers of threads in turn, so that what else the machine does meets all.
func (p *GrowthPlan) records() (list []GrowthRecord) {
	for _, net := range p.Nets {
		for run := range p.Runs {
			for _, threads := range p.Threads {
				list = append(list, GrowthRecord{Model: net.Name, Threads: threads, Run: run + 1,
					Conditions: conditionsHere(nil, p.Limit.Seconds(), p.MemoryBytes, Property{Fingerprint: net.Fingerprint})})
			}
		}
	}
	return list
}

// Keys returns those of all explorations that the plan asks for.
func (p *GrowthPlan) Keys() (keys []Key) {
	for _, r := range p.records() {
		keys = append(keys, r.Key())
	}
	return keys
}

// Resume finds out what is left to explore, as Plan.Resume does.
func (p *GrowthPlan) Resume(records []GrowthRecord, retry bool) (Resumption, error) {
	wanted := map[Key]wish{}
	for _, r := range p.records() {
		wanted[r.Key()] = wish{Conditions: r.Conditions}
	}
	var list []measured
	for _, r := range records {
		list = append(list, measured{Key: r.Key(), reason: r.Reason, decided: r.decided(), Conditions: r.Conditions})
	}
	return resume(wanted, list, retry)
}

// Run has each net explored with each number of threads, one after the other, and gives the records
// to emit. It returns the first error of explore, which gets the number of the net, or of emit, or
// that of ctx.
func (p *GrowthPlan) Run(ctx context.Context, explore func(ctx context.Context, net, threads int) (Explored, error), emit func(GrowthRecord) error) error {
	for _, r := range p.records() {
		if p.Done[r.Key()] {
			continue
		}
		if p.Begin != nil {
			p.Begin(r.Key())
		}
		net := slices.IndexFunc(p.Nets, func(n GrowthNet) bool { return n.Name == r.Model })
		var err error
		if r.Explored, err = explore(ctx, net, r.Threads); ctx.Err() != nil {
			return context.Cause(ctx)
		}
		if err != nil {
			return err
		}
		if strings.Contains(r.Reason, "time limit") { // however it is worded
			r.Reason = errTimeLimit.Error()
		}
		if err := emit(r); err != nil {
			return err
		}
	}
	return nil
}

var growthColumns = lazy.Value[[]string]{Make: func() []string {
	return append([]string{"model", "threads", "run", "reason", "states", "transitions", "seconds", "peak_bytes"}, conditionColumns.Get()...)
}}

func (GrowthRecord) columns() []string { return growthColumns.Get() }

// fields returns the row of the table, in the order of growthColumns.
func (r GrowthRecord) fields() []string {
	return append([]string{
		r.Model, strconv.Itoa(r.Threads), strconv.Itoa(r.Run), r.Reason, strconv.FormatInt(r.States, 10),
		strconv.FormatInt(r.Transitions, 10), strconv.FormatFloat(r.Seconds, 'f', 6, 64), strconv.FormatInt(r.PeakBytes, 10),
	}, r.Conditions.fields()...)
}

// parse reads a row of a table of explorations, whose fields are as many as the columns.
func (GrowthRecord) parse(fields []string) (GrowthRecord, error) {
	f := row{columns: growthColumns.Get(), fields: fields}
	r := GrowthRecord{
		Model: fields[0], Threads: int(f.whole(1)), Run: int(f.whole(2)),
		Explored: Explored{Reason: fields[3], States: f.whole(4), Transitions: f.whole(5), Seconds: f.number(6), PeakBytes: f.whole(7)},
	}
	if f.failure != nil {
		return r, f.failure
	}
	var err error
	r.Conditions, err = parseConditions(fields[8:])
	return r, err
}

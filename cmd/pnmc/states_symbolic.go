package main

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/big"
	"slices"
	"time"

	"github.com/urfave/cli/v2"

	"pnmc/cmd/pnmc/internal/approach"
	"pnmc/cmd/pnmc/internal/exit"
	"pnmc/cmd/pnmc/internal/input"
	"pnmc/cmd/pnmc/internal/limits"
	"pnmc/cmd/pnmc/internal/progress"
	"pnmc/cmd/pnmc/internal/told"
	"pnmc/cmd/pnmc/internal/wording"
	"pnmc/internal/process"
	"pnmc/petri"
	"pnmc/symbolic"
)

// symbolicReport is what states prints as JSON of an exploration by decision
// diagrams. Counts may be larger than what other programs hold in a number.
type symbolicReport struct {
	States             *big.Int `json:"states,omitempty"`
	Transitions        *big.Int `json:"transitions,omitempty"`
	MaxTokenPerMarking *big.Int `json:"max_token_per_marking,omitempty"`
	MaxTokenInPlace    int64    `json:"max_token_in_place"`
	Deadlocks          *big.Int `json:"deadlocks,omitempty"`
	Complete           bool     `json:"complete"`
	Reason             string   `json:"reason,omitempty"`
	Order              string   `json:"order"`
	Nodes              int      `json:"nodes"`
	PeakNodes          int      `json:"peak_nodes"`
	Seconds            float64  `json:"seconds"`
	PeakRSSBytes       int64    `json:"peak_rss_bytes"`
}

// A diagramModel is what decision diagrams explore: a net, or a model whose variables
// have negative values too.
//
// A variable of ETF from -2 to 3 has the values 0 to 5 in diagrams, and low is -2: what is
// counted in diagrams becomes values by adding it.
type diagramModel struct {
	name    string
	explore func(symbolic.Options) (*symbolic.StateSpace, error)
	low     []int32 // by variable: what 0 in a diagram stands for; nil: the variables tell tokens of places
	// uncounted are places whose tokens are left out, ascending.
	uncounted []petri.Place
}

// inPlace returns the largest value in a state, or that is known to occur.
func (d *diagramModel) inPlace(s *symbolic.StateSpace) int64 {
	if len(d.low) == 0 {
		largest := uint32(0)
		for p, bound := range s.PlaceBounds() {
			if _, left := slices.BinarySearch(d.uncounted, petri.Place(p)); !left {
				largest = max(largest, bound)
			}
		}
		return int64(largest)
	}
	largest := int64(math.MinInt64)
	for v, b := range s.Bounds {
		largest = max(largest, int64(b)+int64(d.low[v]))
	}
	return largest
}

// perMarking returns the largest sum of the values of a state.
func (d *diagramModel) perMarking(s *symbolic.StateSpace) (*big.Int, error) {
	counted := slices.Repeat([]int64{1}, s.System.Places())
	for _, p := range d.uncounted {
		counted[p] = 0
	}
	sum, err := s.LargestSum(counted)
	for _, low := range d.low {
		if err == nil {
			sum.Add(sum, big.NewInt(int64(low)))
		}
	}
	return sum, err
}

// statesOfModel counts and prints the states of the model that --etf names.
func statesOfModel(c *cli.Context, m *progress.Messenger, budget petri.Budget, o symbolic.Options) error {
	model, err := input.ETF(c)
	if err != nil {
		return err
	}
	m.Phase("read %d variables, %d groups of transitions", len(model.Variables), len(model.Groups))
	ctx, cancel := limits.WithTimeout(c)
	defer cancel()
	explore := func(o symbolic.Options) (*symbolic.StateSpace, error) {
		system, err := model.System()
		if err != nil {
			return nil, err
		}
		return symbolic.ExploreSystem(ctx, system, o)
	}
	return countSymbolically(ctx, c, m, diagramModel{name: input.Title(c.String("etf")), explore: explore, low: model.Smallest()}, approach.WithFree(o, budget))
}

// countSymbolically counts states by decision diagrams, and prints them.
func countSymbolically(ctx context.Context, c *cli.Context, m *progress.Messenger, d diagramModel, o symbolic.Options) error {
	start := time.Now()
	end := m.During(d.name, "decision diagrams")
	s, reason := d.explore(o)
	end()
	switch {
	case s == nil && errors.Is(reason, symbolic.ErrNoOrder):
		m.Say("unknown: --order %s: %v", c.String("order"), reason)
		return exit.With(exit.Unknown, nil)
	case s == nil && (ctx.Err() != nil || errors.Is(reason, symbolic.ErrRange)): // which the input may have
		m.Say("unknown: %v", reason)
		return exit.With(exit.Unknown, nil)
	case s == nil:
		return exit.InputError(reason)
	}
	m.Phase("explored with order %s: %d nodes, %d at most", s.OrderName, s.Nodes, s.Forest.PeakNodes())
	report := symbolicReport{
		MaxTokenInPlace: d.inPlace(s), Complete: s.Complete, Order: s.OrderName, Nodes: s.Nodes,
		PeakNodes: s.Forest.PeakNodes(),
	}
	asJSON := c.String("format") == "json"
	if reason == nil {
		reason = report.count(ctx, &d, s, asJSON)
	}
	if reason != nil {
		report.Reason = reason.Error()
	}
	report.Seconds = time.Since(start).Seconds()
	report.PeakRSSBytes = process.Peak()
	var err error
	if asJSON {
		err = told.WriteJSON(c.App.Writer, report)
	} else if s.Complete {
		err = printMeasures(c, report.States, report.Transitions, report.MaxTokenPerMarking,
			big.NewInt(report.MaxTokenInPlace), told.SymbolicTechniques)
	}
	if err != nil {
		return err
	}
	switch {
	case !s.Complete:
		m.Say("unknown: %d nodes, %d MB: %v%s", report.PeakNodes, process.Peak()>>20, reason, report.reached(&d))
	case reason != nil:
		m.Say("some counts are unknown: %d nodes, %d MB: %v", report.PeakNodes, process.Peak()>>20, reason)
	default:
		return nil
	}
	return exit.With(exit.Unknown, nil)
}

// reached reports the largest value that was met before a limit, if it reports anything:
// that of a marking is never below 0.
func (r *symbolicReport) reached(d *diagramModel) string {
	switch {
	case len(d.low) > 0 && r.MaxTokenInPlace > math.MinInt64:
		return fmt.Sprintf("; some variable reaches %d or more", r.MaxTokenInPlace)
	case r.MaxTokenInPlace > 0:
		return "; some place has " + wording.Counted(int(r.MaxTokenInPlace), "token", "tokens") + " or more"
	}
	return ""
}

// count counts in a complete state space, what is printed anyway first, and deadlocks
// only if they are asked for. An error says why some counts are not known.
func (r *symbolicReport) count(ctx context.Context, d *diagramModel, s *symbolic.StateSpace, deadlocks bool) error {
	var err error
	if r.States, err = s.StatesWithin(ctx); err != nil {
		return fmt.Errorf("states: %w", err)
	}
	if r.MaxTokenPerMarking, err = d.perMarking(s); err != nil {
		return fmt.Errorf("tokens: %w", err)
	}
	if r.Transitions, err = s.Firings(ctx); err != nil {
		return fmt.Errorf("transitions: %w", err)
	}
	if deadlocks {
		if r.Deadlocks, err = s.DeadlockCount(ctx); err != nil {
			return fmt.Errorf("deadlocks: %w", err)
		}
	}
	return nil
}

// printMeasures prints the contest's lines of StateSpace, without those whose value is nil.
func printMeasures(c *cli.Context, states, transitions, perMarking, inPlace *big.Int, techniques string) error {
	for _, v := range []struct {
		name  string
		value *big.Int
	}{
		{"STATES", states}, {"TRANSITIONS", transitions}, {"MAX_TOKEN_PER_MARKING", perMarking}, {"MAX_TOKEN_IN_PLACE", inPlace},
	} {
		if v.value == nil {
			continue
		}
		if _, err := fmt.Fprintf(c.App.Writer, "STATE_SPACE %s %v TECHNIQUES %s\n", v.name, v.value, techniques); err != nil {
			return err
		}
	}
	return nil
}

// Package statistics reports figures of automata, such as the numbers of states, edges and
// transitions, and whether they are deterministic. In come a format and an automaton, out goes
// the text; `pnmc convert --stats` and `pnmc translate --stats` print it.
package statistics

import (
	"context"
	"fmt"
	"math/big"
	"strconv"
	"strings"

	"pnmc/automata"
	"pnmc/automata/bdd"
	"pnmc/internal/lazy"
)

// statisticsNodes bounds the decision diagram of an edge's label when its
// valuations are counted.
const statisticsNodes = 1 << 20

// statistics are the figures that Stats knows, each by its letter.
var statistics = lazy.Value[map[byte]func(ctx context.Context, a *automata.Automaton) (string, error)]{Make: func() map[byte]func(ctx context.Context, a *automata.Automaton) (string, error) {
	return map[byte]func(ctx context.Context, a *automata.Automaton) (string, error){
		's': func(_ context.Context, a *automata.Automaton) (string, error) { return strconv.Itoa(a.States()), nil },
		'e': func(_ context.Context, a *automata.Automaton) (string, error) { return strconv.Itoa(a.Edges()), nil },
		't': func(ctx context.Context, a *automata.Automaton) (string, error) {
			n, err := transitions(a, ctx)
			if err != nil {
				return "", err
			}
			return n.String(), nil
		},
		'a': func(_ context.Context, a *automata.Automaton) (string, error) {
			return strconv.Itoa(a.Acceptance.Sets), nil
		},
		'c': func(_ context.Context, a *automata.Automaton) (string, error) {
			return strconv.Itoa(automata.FindComponents(a).Count()), nil
		},
		'g': func(_ context.Context, a *automata.Automaton) (string, error) {
			return a.Acceptance.Condition.String(), nil
		},
		'd': func(ctx context.Context, a *automata.Automaton) (string, error) {
			deterministic, err := automata.IsDeterministic(ctx, a)
			return oneOrZero(deterministic), err
		},
		'p': func(ctx context.Context, a *automata.Automaton) (string, error) {
			complete, err := automata.IsComplete(ctx, a)
			return oneOrZero(complete), err
		},
		'i': func(_ context.Context, a *automata.Automaton) (string, error) {
			return strconv.Itoa(len(a.Initial())), nil
		},
		'x': func(_ context.Context, a *automata.Automaton) (string, error) {
			return strconv.Itoa(len(a.Propositions)), nil
		},
		'k': func(_ context.Context, a *automata.Automaton) (string, error) { return a.Kind.String(), nil },
		'm': func(_ context.Context, a *automata.Automaton) (string, error) { return a.Name, nil },
		'f': func(_ context.Context, a *automata.Automaton) (string, error) { return a.Name, nil },
		'%': func(context.Context, *automata.Automaton) (string, error) { return "%", nil },
	}
}}

// Format returns format with each sequence of '%' and a letter replaced by a figure
// of a:
//
//	%s states        %e edges        %t transitions: an edge counts for each valuation of its label
//	%a acceptance sets               %g acceptance condition
//	%c strongly connected components %i initial states
//	%x atomic propositions           %k kind: plain, tgta or ta
//	%d 1 if deterministic, else 0    %p 1 if complete, else 0
//	%m name, %f the same: often it is the formula
//	%% the character %
//
// Another letter is an error, as is an automaton with labels too large for %t or %p, and
// the end of ctx.
//
// For example, "%m: %s states, %e edges" may become "GFa: 1 states, 2 edges".
func Format(ctx context.Context, format string, a *automata.Automaton) (string, error) {
	var b strings.Builder
	for rest := format; ; {
		before, after, found := strings.Cut(rest, "%")
		b.WriteString(before)
		if !found {
			return b.String(), nil
		}
		if after == "" {
			return "", fmt.Errorf("statistics %q: a letter is missing after the last %%", format)
		}
		figure, ok := statistics.Get()[after[0]]
		if !ok {
			return "", fmt.Errorf("statistics %q: unknown sequence %%%c, expected one of %%s %%e %%t %%a %%g %%c %%d %%p %%i %%x %%k %%m %%f %%%%", format, after[0])
		}
		text, err := figure(ctx, a)
		if err != nil {
			return "", err
		}
		b.WriteString(text)
		rest = after[1:]
	}
}

// oneOrZero writes a truth value as the sequences %d and %p do.
func oneOrZero(b bool) string {
	if b {
		return "1"
	}
	return "0"
}

// Transitions counts each edge once for every valuation of its label. The error
// is ErrTooLarge for a label that isn't small, see Functions.
func Transitions(a *automata.Automaton) (*big.Int, error) {
	return transitions(a, context.Background())
}

// transitions counts as Transitions says, and ends with ctx. An edge of one cube has 2^(n-l)
// transitions, if l of n propositions are in the cube. Cubes of other labels may overlap, so that
// their valuations are counted by decision diagrams.
func transitions(a *automata.Automaton, ctx context.Context) (*big.Int, error) {
	sum, one := new(big.Int), big.NewInt(1)
	var f *bdd.Functions
	for e := range automata.Edge(a.Edges()) {
		if a.Cubes(e) == 1 {
			sum.Add(sum, new(big.Int).Lsh(one, uint(len(a.Propositions)-a.Cube(e, 0).Literals())))
			continue
		}
		if f == nil {
			f = bdd.New(len(a.Propositions), statisticsNodes)
			f.Watch(ctx)
		} else if f.Nodes() > statisticsNodes/2 {
			f.Reset()
		}
		n := f.Valuations(f.OfEdge(a, e))
		if f.Err() != nil {
			return nil, f.Err()
		}
		sum.Add(sum, n)
	}
	return sum, nil
}

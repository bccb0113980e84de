package questions

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"runtime/debug"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/urfave/cli/v2"

	"pnmc/checker"
	"pnmc/cmd/pnmc/internal/input"
	"pnmc/cmd/pnmc/internal/limits"
	"pnmc/cmd/pnmc/internal/progress"
	"pnmc/internal/account"
	"pnmc/logic"
	"pnmc/petri"
	"pnmc/petri/symmetric"
)

// TestRestAfterTheWholeTime: lines are given for a while, and then the rest is not read.
func TestRestAfterTheWholeTime(t *testing.T) {
	reason := errors.New("time is over")
	whole, cancel := context.WithCancelCause(context.Background())
	var stderr bytes.Buffer
	s := &session{whole: whole, c: cli.NewContext(&cli.App{}, nil, nil), Messenger: progress.To(&stderr)}
	s.c.Context = context.Background()
	if late, over := s.lateFor("file"); late != nil || over {
		t.Errorf("late before: %v", late)
	}
	cancel(reason)
	if late, over := s.lateFor("file"); late != reason || over {
		t.Errorf("late at first: %v, %t", late, over)
	}
	s.lateSince = time.Now().Add(-time.Hour)
	if late, over := s.lateFor("file"); late != reason || !over || !s.restUnread {
		t.Errorf("late after an hour: %v, %t", late, over)
	}
	if want := "file: the rest is not read: time is over"; !strings.Contains(stderr.String(), want) {
		t.Errorf("told %q, expected %q", &stderr, want)
	}
	first, second := s.tooLate(reason), s.tooLate(reason)
	if !first || !second || s.tooLate(errors.New("another")) || s.notBegunCount != 2 {
		t.Errorf("%d not begun", s.notBegunCount)
	}
}

// TestPropertiesThatAreNotBegun: a named approach tells why a property was not begun, unless time is over
// for all that follow or the user interrupted, which is told once.
func TestPropertiesThatAreNotBegun(t *testing.T) {
	full, over, interrupted := errors.New("the formula is too large"), errors.New("time is over"), errors.New("interrupted")
	for _, test := range []struct {
		reason, whole, all error
		want               string
	}{
		{full, nil, nil, "pnmc: q: unknown: the formula is too large\n"},
		{full, over, nil, "pnmc: q: unknown: the formula is too large\n"},
		{over, over, nil, ""},
		{interrupted, interrupted, interrupted, ""},
	} {
		whole, end := context.WithCancelCause(t.Context())
		end(test.whole)
		if test.whole == nil {
			whole = t.Context()
		}
		all, cancel := context.WithCancelCause(t.Context())
		if test.all != nil {
			cancel(test.all)
		}
		var stderr bytes.Buffer
		s := &session{whole: whole, c: cli.NewContext(&cli.App{}, nil, nil), Messenger: progress.To(&stderr)}
		s.c.Context = all
		r, err := s.checkProperty(t.Context(), &property{name: "q", unknown: test.reason})
		if err != nil || r.Reason != test.reason.Error() || !s.unknown || stderr.String() != test.want {
			t.Errorf("%v, %v: %q, want %q; %+v, %v", test.reason, test.whole, &stderr, test.want, r, err)
		}
		cancel(nil)
		end(nil)
	}
}

// TestLatePropertiesAreNotLookedAt: those of all kinds of files have a line, without a look
// at what they ask, and are counted.
func TestLatePropertiesAreNotLookedAt(t *testing.T) {
	reason := errors.New("time is over")
	whole, cancel := context.WithCancelCause(context.Background())
	cancel(reason)
	const query = `<property-set xmlns="http://mcc.lip6.fr/"><property><id>q</id><formula><place-bound><place>nowhere</place></place-bound></formula></property></property-set>`
	for _, test := range []struct {
		text string
		read func(*session, *strings.Reader, func(*property) error) error
	}{
		{query, func(s *session, r *strings.Reader, use func(*property) error) error {
			return s.eachQuery(r, "file", use)
		}},
		{"q: AG EF true\n", func(s *session, r *strings.Reader, use func(*property) error) error { return s.eachCTL(r, "file", use) }},
	} {
		s := &session{whole: whole, c: cli.NewContext(&cli.App{}, flag.NewFlagSet("", flag.ContinueOnError), nil), Messenger: progress.To(io.Discard)}
		s.c.Context = context.Background()
		net, err := (&petri.Builder{}).Build()
		if err != nil {
			t.Fatal(err)
		}
		s.models = []*model{{vocabulary: checker.Vocabulary(net)}}
		count := 0
		err = test.read(s, strings.NewReader(test.text), func(p *property) error {
			count++
			if p.unknown != reason || p.err != nil || p.name != "q" || p.kind == "" {
				t.Errorf("%+v", p)
			}
			return nil
		})
		if err != nil || count != 1 {
			t.Errorf("%q: %d properties, %v", test.text, count, err)
		}
	}
}

// manyPlaces is a vocabulary in which all names are known, and one of them is that of very many places.
type manyPlaces struct {
	logic.Vocabulary
	many []uint32
}

func (v manyPlaces) Places(name string) []uint32 {
	if name == "many" {
		return v.many
	}
	return []uint32{0}
}

// TestTooLargePropertiesEndAlone: a property of a file that memory has no room for is unknown with the reason, is not said to be wrong, and no
// net is unfolded for it. The others are asked.
func TestTooLargePropertiesEndAlone(t *testing.T) {
	text := `<property-set xmlns="http://mcc.lip6.fr/">`
	for _, name := range []string{"one", "many", "two"} {
		text += "<property><id>" + name + "</id><formula><place-bound><place>" + name + "</place></place-bound></formula></property>"
	}
	text += "</property-set>"
	s := &session{whole: context.Background(), c: cli.NewContext(&cli.App{Metadata: map[string]any{limits.AllowanceKey: &limits.Allowance{}}},
		flag.NewFlagSet("", flag.ContinueOnError), nil), Messenger: progress.To(io.Discard)}
	s.c.Context = context.Background()
	s.models = []*model{{vocabulary: manyPlaces{many: make([]uint32, 16<<20)}}}
	s.coloured = &symmetric.Net{Places: []symmetric.Place{{ID: "m"}}}
	var got []string
	err := input.Within(s.c, petri.Budget{MemoryBytes: account.InUse() + 512<<20}, strings.NewReader(text), "file", true, func(r io.Reader, file string) error {
		s.limit = input.LimitOf(r)
		return s.eachQuery(r, file, func(p *property) error {
			got = append(got, fmt.Sprintf("%s %t", p.name, p.unknown != nil))
			if p.err != nil || p.unknown != nil && !errors.As(p.unknown, new(*petri.MemoryError)) {
				t.Errorf("%s: %v, %v", p.name, p.err, p.unknown)
			}
			return nil
		})
	})
	if want := []string{"one false", "many true", "two false"}; err != nil || !slices.Equal(got, want) || s.bad {
		t.Errorf("%q, want %q; %v", got, want, err)
	}
}

// TestTooLargeFormulasEndAlone: a line of a file of formulas of linear time that memory has no room for is unknown with the reason. The
// others are asked.
func TestTooLargeFormulasEndAlone(t *testing.T) {
	var operands []string
	for i := range 2000 {
		operands = append(operands, fmt.Sprintf("\"p >= %d\"", i))
	}
	large := "F[0:1000](" + strings.Join(operands, " | ") + ")"
	text := "one: F \"p >= 1\"\nlarge: " + large + " & !F[0:900](" + large + ")\ntwo: G \"p >= 1\"\n"
	debug.FreeOSMemory()
	s := &session{whole: context.Background(), c: cli.NewContext(&cli.App{Metadata: map[string]any{limits.AllowanceKey: &limits.Allowance{}}},
		flag.NewFlagSet("", flag.ContinueOnError), nil), Messenger: progress.To(io.Discard)}
	s.c.Context = context.Background()
	b := &petri.Builder{}
	if _, err := b.AddPlace("p", "", 1); err != nil {
		t.Fatal(err)
	}
	net, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	s.models = []*model{{vocabulary: checker.Vocabulary(net)}}
	var got []string
	err = input.Within(s.c, petri.Budget{MemoryBytes: account.InUse() + 24<<20}, strings.NewReader(text), "file", true, func(r io.Reader, file string) error {
		s.limit = input.LimitOf(r)
		return s.eachFormula(r, file, func(p *property) error {
			got = append(got, fmt.Sprintf("%s %t", p.name, p.unknown != nil))
			if p.err != nil || p.unknown != nil && !errors.As(p.unknown, new(*petri.MemoryError)) || p.unknown == nil && p.question == nil {
				t.Errorf("%s: %v, %v", p.name, p.err, p.unknown)
			}
			return nil
		})
	})
	if want := []string{"one false", "large true", "two false"}; err != nil || !slices.Equal(got, want) || s.bad {
		t.Errorf("%q, want %q; %v", got, want, err)
	}
}

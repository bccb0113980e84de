package questions

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/urfave/cli/v2"

	"pnmc/checker"
	"pnmc/cmd/pnmc/internal/progress"
	"pnmc/petri"
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

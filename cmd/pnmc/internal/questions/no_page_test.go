package questions

import (
	"bytes"
	"errors"
	"flag"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/urfave/cli/v2"

	"pnmc/automata"
	"pnmc/checker/product"
	"pnmc/checker/properties"
	"pnmc/cmd/pnmc/internal/exit"
	"pnmc/cmd/pnmc/internal/page"
	"pnmc/cmd/pnmc/internal/progress"
	"pnmc/internal/petritest"
)

// slowReader gives a byte only once so much time is over.
type slowReader struct{ time.Duration }

// Read waits.
func (r slowReader) Read(p []byte) (int, error) {
	time.Sleep(r.Duration)
	return copy(p, "<"), nil
}

// TestAnswersWithoutTheirPage: where the time of a page is over before the net is read again for it, each answer is told
// all the same, and that there is no page comes at the end.
func TestAnswersWithoutTheirPage(t *testing.T) {
	flags := flag.NewFlagSet("", flag.ContinueOnError)
	flags.Duration("timeout", time.Millisecond, "")
	var out, stderr bytes.Buffer
	c := cli.NewContext(&cli.App{Writer: &out}, flags, nil)
	c.Context = t.Context()
	reads := 0
	pages := page.Of(c, &out, "net.pnml", func(use func(io.Reader, string) error) error {
		reads++
		return use(slowReader{10 * time.Millisecond}, "net.pnml")
	})
	s := &session{c: c, Messenger: progress.To(&stderr), net: petritest.Kanban(1), trace: &traceFile{out: &out, page: pages}}
	s.settings.Approach = product.ByTGBA
	for _, v := range []properties.Verdict{properties.Unknown, properties.Violated} {
		if err := s.tell("p", properties.Property{Automaton: new(automata.Automaton)}, properties.Result{Verdict: v}); err != nil {
			t.Errorf("%v: %v", v, err)
		}
	}
	if !s.unknown || !s.violated || reads != 1 {
		t.Errorf("unknown %t, violated %t, read %d times", s.unknown, s.violated, reads)
	}
	err := s.finishTrace()
	var failure *exit.Failure
	if !errors.As(err, &failure) || failure.Code != exit.Unknown || !strings.Contains(err.Error(), "no page is written") || out.Len() > 0 {
		t.Errorf("at the end: %v, %d bytes", err, out.Len())
	}
}

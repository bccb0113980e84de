package page_test

import (
	"context"
	"errors"
	"flag"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/urfave/cli/v2"

	"pnmc/automata"
	"pnmc/checker/properties"
	"pnmc/cmd/pnmc/internal/exit"
	"pnmc/cmd/pnmc/internal/limits"
	"pnmc/cmd/pnmc/internal/page"
	"pnmc/internal/petritest"
)

// TestAnswersWaitForTheirPage: an answer that comes without time to begin the page is no error. It waits for one that
// leaves time, and is written first. If none does, it is said at the end that there is no page.
func TestAnswersWaitForTheirPage(t *testing.T) {
	over, cancel := context.WithDeadline(t.Context(), time.Now().Add(-time.Hour))
	defer cancel()
	net := petritest.Kanban(1)
	of := page.Subject{Net: net, Unfolded: true}
	property := properties.Property{Automaton: new(automata.Automaton)}
	for name, times := range map[string][]context.Context{"time for the last": {over, over, t.Context()}, "time for none": {over, over}} {
		allowance := &limits.Allowance{}
		app := cli.NewApp()
		app.Metadata = map[string]any{limits.AllowanceKey: allowance}
		c := cli.NewContext(app, flag.NewFlagSet("", flag.ContinueOnError), nil)
		var out strings.Builder
		f := page.Of(c, &out, "net.pnml", func(use func(io.Reader, string) error) error {
			return use(strings.NewReader(`<pnml><net id="n" type="http://www.pnml.org/version-2009/grammar/ptnet"><page id="p"/></net></pnml>`), "net.pnml")
		})
		written := false
		for i, ctx := range times {
			allowance.Answer = ctx
			if err := f.Add(of, page.AnswerOfCheck(c, net, string(rune('a'+i)), property, properties.Result{})); err != nil {
				t.Errorf("%s, answer %d: %v", name, i, err)
			}
			if written = ctx != over; f.Begun() != written {
				t.Errorf("%s, answer %d: begun %t", name, i, f.Begun())
			}
		}
		err := f.Finish(of)
		var told *exit.Failure
		if none := errors.As(err, &told) && told.Code == exit.Unknown; none == written || err != nil && !none {
			t.Errorf("%s: %v", name, err)
		}
		first, last := strings.Index(out.String(), `"name":"a"`), strings.LastIndex(out.String(), `"name":"c"`)
		if written && (first < 0 || last < first) || !written && out.Len() > 0 {
			t.Errorf("%s: %d bytes, answers at %d and %d", name, out.Len(), first, last)
		}
	}
}

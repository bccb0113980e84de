package questions

import (
	"context"
	"flag"
	"testing"
	"time"

	"github.com/urfave/cli/v2"

	"pnmc/cmd/pnmc/internal/limits"
	"pnmc/cmd/pnmc/internal/progress"
)

// TestPageHasTheTimeOfItsQuestion: what a flag leaves to a question, or to the command, ends its page
// too. The time of a search that nobody has asked for does not.
func TestPageHasTheTimeOfItsQuestion(t *testing.T) {
	for _, own := range []bool{false, true} {
		app := cli.NewApp()
		allowance := &limits.Allowance{}
		app.Metadata = map[string]any{limits.AllowanceKey: allowance}
		flags := flag.NewFlagSet("", flag.ContinueOnError)
		flags.Duration("total-timeout", time.Hour, "")
		s := &session{c: cli.NewContext(app, flags, nil), Messenger: &progress.Messenger{Start: time.Now()}, ownTime: own}
		s.c.Context = t.Context()
		over := s.beginTime()
		if has := allowance.Answer != nil; has == own {
			t.Errorf("time of the command's own: %t, a page ends with it: %t", own, has)
		}
		question, cancel := context.WithTimeout(s.whole, time.Minute)
		if s.beginAnswer(question); allowance.Answer != question {
			t.Errorf("time of the command's own: %t: the page does not end with its question", own)
		}
		cancel()
		over()
	}
}

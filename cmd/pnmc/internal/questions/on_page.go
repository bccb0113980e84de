package questions

import (
	"errors"
	"io"
	"time"

	"github.com/urfave/cli/v2"

	"pnmc/checker/product"
	"pnmc/cmd/pnmc/internal/asked"
	"pnmc/cmd/pnmc/internal/exit"
	"pnmc/cmd/pnmc/internal/output"
	"pnmc/cmd/pnmc/internal/progress"
	"pnmc/cmd/pnmc/internal/told"
)

// AnswerOnPage writes a page about a net, with answers to what the flags ask; where they ask
// nothing, a deadlock is looked for.
func AnswerOnPage(c *cli.Context, path string) error {
	s := &session{c: c, Messenger: progress.NewMessenger(c)}
	defer s.TellRepeated()
	list, err := s.readFlags()
	if err != nil {
		return err
	}
	unasked := len(list) == 0
	if unasked && !c.IsSet("total-timeout") {
		if err := c.Set("total-timeout", deadlockTime.String()); err != nil {
			return err
		}
		s.ownTime = true
	}
	if path != "-" {
		if err := output.Try(path); err != nil {
			return err
		}
	}
	if s.trace, err = s.createTrace(path, told.HTML); err != nil {
		return err
	}
	if unasked {
		// Nobody waits for a verdict: the page shows it.
		list, s.trace.page.ByHand = []asked.Flag{{Name: "deadlock"}}, true
		s.settings.Approach, s.Quiet = product.Auto, true
		c.App.Writer = io.Discard
	}
	err = s.answerAll(list)
	var failure *exit.Failure
	if !unasked || !errors.As(err, &failure) || failure.Err != nil || failure.Code != exit.Violated && failure.Code != exit.Unknown {
		return err // of a page that is not written, too
	}
	if failure.Code == exit.Unknown && c.Context.Err() != nil {
		s.Quiet = c.Bool("quiet")
		s.Say("interrupted: %s is written, but whether there is a deadlock is not known", path)
		return err
	}
	return nil
}

// deadlockTime is how long a deadlock is looked for that nobody has asked for.
const deadlockTime = 10 * time.Second

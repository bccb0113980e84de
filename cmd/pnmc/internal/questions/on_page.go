package questions

import (
	"errors"
	"io"
	"time"

	"github.com/urfave/cli/v2"

	"pnmc/checker/product"
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
		// Nobody waits for a verdict: the page tells it.
		list, s.trace.page.ByHand = []asked{{"deadlock", ""}}, true
		s.settings.Approach, s.Quiet = product.Auto, true
		c.App.Writer = io.Discard
	}
	err = s.answerAll(list)
	var failure *exit.Failure
	if unasked && c.Context.Err() == nil && errors.As(err, &failure) && (failure.Code == exit.Violated || failure.Code == exit.Unknown) {
		return nil
	}
	return err
}

// deadlockTime is how long a deadlock is looked for that nobody has asked for.
const deadlockTime = 10 * time.Second

package questions

import (
	"fmt"

	"pnmc/cmd/pnmc/internal/interrupt"
	"pnmc/cmd/pnmc/internal/wording"
)

// tellInterrupted says, after an interruption, what there is and what is missing.
func (s *session) tellInterrupted() {
	missing := ""
	if !s.restUnread && s.decided == s.count {
		interrupt.NoteWayTold(s.c.Context) // nothing is missing
	}
	if s.restUnread {
		missing = "; the rest of the input was not read"
	} else if s.decided < s.count {
		missing = "; the others have a line without a verdict, and are to be checked again"
	}
	found := ""
	switch {
	case s.trace == nil || s.trace.File == nil:
	case s.decided == 0 && s.bad:
		found = fmt.Sprintf("; %s is not written", s.trace.Path)
	case s.decided == 0:
		found = fmt.Sprintf("; %s has no run", s.trace.Path)
	default:
		found = fmt.Sprintf("; %s has the runs found so far", s.trace.Path)
	}
	s.Say("interrupted: %d of %s decided%s%s", s.decided, wording.Counted(s.count, "property", "properties"), found, missing)
}

package mcc

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"
	"time"

	"pnmc/checker"
	"pnmc/query"
)

// word returns a value as the contest writes it.
func word(v checker.Value) string {
	if v.IsInfinite() {
		return "+inf"
	}
	return strings.ToUpper(v.String())
}

// answers writes answer lines, each once and at once. Safe for concurrent use.
type answers struct {
	mutex   sync.Mutex
	out     io.Writer
	explain io.Writer // may be nil
	start   time.Time
	err     error
	unread  *query.UnreadError // properties that were given up
}

// line writes the line of an answer to out, and to explain what shows it.
func (a *answers) line(key string, answer checker.Answer, how string) {
	a.mutex.Lock()
	defer a.mutex.Unlock()
	// One call of Write: the line leaves whole, before anything else happens.
	if _, err := fmt.Fprintf(a.out, "%s %s TECHNIQUES %s\n", key, word(answer.Value), answer.By); err != nil && a.err == nil {
		a.err = err
	}
	if a.explain != nil && how != "" {
		fmt.Fprintf(a.explain, "%8.3fs %s %s: %s\n", time.Since(a.start).Seconds(), key, word(answer.Value), how)
	}
}

// note writes a message for explain, with the time.
func (a *answers) note(message string) {
	a.mutex.Lock()
	defer a.mutex.Unlock()
	fmt.Fprintf(a.explain, "%8.3fs %s\n", time.Since(a.start).Seconds(), message)
}

// giveUp writes a line for each property that cannot be answered, if there are any, and keeps the
// reasons.
func (a *answers) giveUp(unread *query.UnreadError) {
	a.mutex.Lock()
	defer a.mutex.Unlock()
	if unread == nil {
		return
	}
	if a.unread == nil {
		a.unread = new(query.UnreadError)
	}
	a.unread.IDs = append(a.unread.IDs, unread.IDs...)
	a.unread.Err = errors.Join(a.unread.Err, unread.Err)
	for _, id := range unread.IDs {
		if _, err := fmt.Fprintf(a.out, "FORMULA %s %s\n", id, givenUp); err != nil && a.err == nil {
			a.err = err
		}
	}
}

// givenUp is the contest's word for a question that is not answered.
const givenUp = "CANNOT_COMPUTE"

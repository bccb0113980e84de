package mcc

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"
	"time"
)

// Techniques is a set of the words by which the contest names how an answer was
// found.
type Techniques uint32

// The techniques that engines here use.
const (
	Explicit Techniques = 1 << iota
	DecisionDiagrams
	RandomWalk
	StateEquation
	StructuralReduction
	InitialState
	Topological
	StateCompression
	QueryReduction
	Unfolding
	Skeleton
)

var techniqueWords = []string{
	"EXPLICIT", "DECISION_DIAGRAMS", "RANDOM_WALK", "LP_APPROX", "STRUCTURAL_REDUCTION", "INITIAL_STATE",
	"TOPOLOGICAL", "STATE_COMPRESSION", "QUERY_REDUCTION", "UNFOLDING_TO_PT", "CPN_APPROX",
}

// String lists the words in the contest's spelling.
func (t Techniques) String() string {
	var words []string
	for i, w := range techniqueWords {
		if t>>i&1 == 1 {
			words = append(words, w)
		}
	}
	return strings.Join(words, " ")
}

// infinite is the answer where there is no bound.
const infinite = "+inf"

// answers writes answer lines, each once and at once. Safe for concurrent use.
type answers struct {
	mutex   sync.Mutex
	out     io.Writer
	explain io.Writer // may be nil
	start   time.Time
	given   map[string]string
	count   int // of given, without what was given up
	closed  bool
	wanted  int    // how many answers there are to give, if not 0
	all     func() // told when they are given; it must not answer
	err     error
	unread  *UnreadError // properties that were given up
}

// formula answers a query.
func (a *answers) formula(id, value string, techniques Techniques, how string) {
	a.line("FORMULA "+id, value, techniques, how)
}

// stateSpace answers one of the measures of a state space.
func (a *answers) stateSpace(measure, value string, techniques Techniques, how string) {
	a.line("STATE_SPACE "+measure, value, techniques, how)
}

// line gives an answer, unless there is one to the key or answering has ended.
func (a *answers) line(key, value string, techniques Techniques, how string) {
	a.mutex.Lock()
	defer a.mutex.Unlock()
	if _, given := a.given[key]; given || a.closed {
		return
	}
	a.given[key] = value
	if a.count++; a.wanted > 0 && a.count >= a.wanted {
		defer a.all() // after the line is written, the mutex still being held
	}
	// One call of Write: the line leaves whole, before anything else happens.
	if _, err := fmt.Fprintf(a.out, "%s %s TECHNIQUES %s\n", key, value, techniques); err != nil && a.err == nil {
		a.err = err
	}
	if a.explain != nil && how != "" {
		fmt.Fprintf(a.explain, "%8.3fs %s %s: %s\n", time.Since(a.start).Seconds(), key, value, how)
	}
}

// endWith tells all when so many answers are given, by whomever.
func (a *answers) endWith(count int, all func()) {
	a.mutex.Lock()
	defer a.mutex.Unlock()
	if a.wanted, a.all = count, all; a.count >= count {
		all()
	}
}

// isGiven tells whether a query is answered, by whomever.
func (a *answers) isGiven(id string) bool {
	a.mutex.Lock()
	defer a.mutex.Unlock()
	_, given := a.given["FORMULA "+id]
	return given
}

// giveUp tells of queries that cannot be answered, if there are any.
func (a *answers) giveUp(unread *UnreadError) {
	a.mutex.Lock()
	defer a.mutex.Unlock()
	if unread == nil || a.closed {
		return
	}
	if a.unread == nil {
		a.unread = new(UnreadError)
	}
	a.unread.IDs = append(a.unread.IDs, unread.IDs...)
	a.unread.Err = errors.Join(a.unread.Err, unread.Err)
	for _, id := range unread.IDs {
		key := "FORMULA " + id
		if _, given := a.given[key]; given {
			continue
		}
		a.given[key] = givenUp
		if _, err := fmt.Fprintf(a.out, "%s %s\n", key, givenUp); err != nil && a.err == nil {
			a.err = err
		}
	}
}

// givenUp is what the contest calls no answer.
const givenUp = "CANNOT_COMPUTE"

// close ends answering. It tells what was given up, if anything, and how writing
// failed.
func (a *answers) close() (*UnreadError, error) {
	a.mutex.Lock()
	defer a.mutex.Unlock()
	a.closed = true
	return a.unread, a.err
}

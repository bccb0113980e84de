package main

import (
	"fmt"
	"os"
	"sync"
	"time"

	"pnmc/internal/process"
)

// watch shows, while several engines work, the first property that they have not decided
// yet, how many more there are and how many they have, for how long that goes on, and the
// memory it takes.
type watch struct {
	m     *messenger
	began time.Time
	stop  chan struct{}
	ended sync.WaitGroup

	mutex    sync.Mutex // guards what follows
	names    []string   // of all properties
	answered map[int]bool
	held     bool // nothing is to be shown
}

// watch begins to show how properties of these names are decided.
func (m *messenger) watch(names []string) *watch {
	w := &watch{m: m, names: names, answered: map[int]bool{}, stop: make(chan struct{})}
	if m.terminal && !m.quiet {
		w.began = m.line.clock()
		w.ended.Go(func() { againAndAgain(w.show, w.stop) })
	}
	return w
}

// againAndAgain calls show as often as a line is to be drawn.
func againAndAgain(show func(), stop <-chan struct{}) {
	tick := time.NewTicker(shownEvery)
	defer tick.Stop()
	for {
		select {
		case <-tick.C:
			show()
		case <-stop:
			return
		}
	}
}

// during shows, until end is called, that something is done to what, for how long that goes
// on, and the memory it takes: it is for work that does not tell how far it is.
func (m *messenger) during(what, doing string) (end func()) {
	return m.duringParts(what, func() []string { return []string{doing} })
}

// duringParts is during for what tells how far it is: doing is called again and again.
func (m *messenger) duringParts(what string, doing func() []string) (end func()) {
	if !m.terminal || m.quiet {
		return func() {}
	}
	stop, began := make(chan struct{}), m.line.clock()
	var ended sync.WaitGroup
	ended.Go(func() {
		againAndAgain(func() {
			resident, _ := process.Memory(os.Getpid())
			m.lines.Lock()
			defer m.lines.Unlock()
			m.line.draw(m.w, duringParts(what, doing(), m.line.clock().Sub(began), resident))
		}, stop)
	})
	return func() {
		close(stop)
		ended.Wait()
		m.clear()
	}
}

// duringParts tell what is done, for how long, and with what memory.
func duringParts(what string, doing []string, elapsed time.Duration, resident int64) lineParts {
	return lineParts{what, withMemory(withTime(doing, elapsed), resident)}
}

// show draws the line.
func (w *watch) show() {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	if w.held || len(w.answered) == len(w.names) {
		return
	}
	first := 0
	for w.answered[first] {
		first++
	}
	resident, _ := process.Memory(os.Getpid())
	w.m.lines.Lock()
	defer w.m.lines.Unlock()
	w.m.line.draw(w.m.w, watchParts(w.names[first], len(w.answered), len(w.names), w.m.line.clock().Sub(w.began), resident))
}

// tell notes that a property is answered, and shows nothing while that is told.
func (w *watch) tell(property int, tell func()) {
	w.mutex.Lock()
	w.answered[property] = true
	w.held = true
	w.mutex.Unlock()
	w.m.clear()
	tell()
	w.mutex.Lock()
	w.held = false
	w.mutex.Unlock()
}

// end takes the line off the terminal.
func (w *watch) end() {
	close(w.stop)
	w.ended.Wait()
	w.m.clear()
}

// watchParts tell how properties are decided.
func watchParts(what string, decided, of int, elapsed time.Duration, resident int64) lineParts {
	if open := of - decided; open > 1 {
		what += fmt.Sprintf(" and %s more", grouped(int64(open-1)))
	}
	parts := []string{fmt.Sprintf("%s of %s decided", grouped(int64(decided)), grouped(int64(of)))}
	return lineParts{what, withMemory(withTime(parts, elapsed), resident)}
}

// withMemory adds the memory in use to parts of a line, if it is known.
func withMemory(parts []string, resident int64) []string {
	if resident > 0 {
		parts = append(parts, fmt.Sprintf("%s MB", grouped(resident>>20)))
	}
	return parts
}

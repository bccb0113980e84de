package progress

import (
	"fmt"
	"os"
	"sync"
	"time"

	"pnmc/cmd/pnmc/internal/wording"
	"pnmc/internal/process"
)

// Watch shows, while several engines work, the first property that they have not decided
// yet. It also shows how many more there are, how many are decided, the time, and the
// memory in use.
type Watch struct {
	m     *Messenger
	began time.Time
	stop  chan struct{}
	ended sync.WaitGroup

	mutex    sync.Mutex // guards what follows
	names    []string   // of all properties
	answered map[int]bool
	held     bool // nothing is to be shown
}

// Watch begins to show how properties of these names are decided.
func (m *Messenger) Watch(names []string) *Watch {
	w := &Watch{m: m, names: names, answered: map[int]bool{}, stop: make(chan struct{})}
	if m.Terminal && !m.Quiet {
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

// During shows, until end is called, what is done to what, for how long, and the memory in
// use. It is for work that cannot say how far it is.
func (m *Messenger) During(what, doing string) (end func()) {
	return m.DuringParts(what, func() []string { return []string{doing} })
}

// DuringParts reports as During does, for work that can say how far it is: doing is called again and
// again.
func (m *Messenger) DuringParts(what string, doing func() []string) (end func()) {
	if !m.Terminal || m.Quiet {
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
		m.Clear()
	}
}

// duringParts returns what is done, for how long, and with what memory.
func duringParts(what string, doing []string, elapsed time.Duration, resident int64) lineParts {
	return lineParts{what, withMemory(withTime(doing, elapsed), resident)}
}

// show draws the line.
func (w *Watch) show() {
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

// Tell notes that a property is answered, and shows nothing while that is told.
func (w *Watch) Tell(property int, tell func()) {
	w.mutex.Lock()
	w.answered[property] = true
	w.held = true
	w.mutex.Unlock()
	w.m.Clear()
	tell()
	w.mutex.Lock()
	w.held = false
	w.mutex.Unlock()
}

// End takes the line off the terminal.
func (w *Watch) End() {
	close(w.stop)
	w.ended.Wait()
	w.m.Clear()
}

// watchParts returns how far the deciding of properties is.
func watchParts(what string, decided, of int, elapsed time.Duration, resident int64) lineParts {
	if open := of - decided; open > 1 {
		what += fmt.Sprintf(" and %s more", wording.Grouped(int64(open-1)))
	}
	parts := []string{fmt.Sprintf("%s of %s decided", wording.Grouped(int64(decided)), wording.Grouped(int64(of)))}
	return lineParts{what, withMemory(withTime(parts, elapsed), resident)}
}

// withMemory adds the memory in use to parts of a line, if it is known.
func withMemory(parts []string, resident int64) []string {
	if resident > 0 {
		parts = append(parts, fmt.Sprintf("%s MB", wording.Grouped(resident>>20)))
	}
	return parts
}

package progress

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"pnmc/cmd/pnmc/internal/wording"
)

// Jobs shows, while jobs are run side by side, how many are over, how many run and which of
// them began first, and how long the others will take. That is estimated from the jobs that were
// run since it began to show: if 30 of 100 were over before, and 20 more after a minute, the other 50
// take two and a half.
type Jobs struct {
	m     *Messenger
	began time.Time
	stop  chan struct{}
	ended sync.WaitGroup

	mutex   sync.Mutex // guards what follows
	of      int
	over    int
	before  int // of those that are over: they were when this began
	running []string
}

// Jobs begins to show how so many jobs are run, of which some are over already.
func (m *Messenger) Jobs(over, of int) *Jobs {
	j := &Jobs{m: m, of: of, over: over, before: over, stop: make(chan struct{})}
	if m.Terminal && !m.Quiet {
		j.began = m.line.clock()
		j.ended.Go(func() { againAndAgain(j.show, j.stop) })
	}
	return j
}

// Begin notes that a job begins.
func (j *Jobs) Begin(name string) {
	j.mutex.Lock()
	defer j.mutex.Unlock()
	j.running = append(j.running, name)
}

// End notes that a job is over, which has begun or was over before.
func (j *Jobs) End(name string) {
	j.mutex.Lock()
	defer j.mutex.Unlock()
	j.over++
	if i := slices.Index(j.running, name); i >= 0 {
		j.running = slices.Delete(j.running, i, i+1)
	} else {
		j.before++
	}
}

// OverNow notes that so many jobs are over, which others run.
func (j *Jobs) OverNow(over int) {
	j.mutex.Lock()
	defer j.mutex.Unlock()
	j.over = over
}

// barWidth is the number of columns of a bar.
const barWidth = 40

// Bar draws how many of some jobs are over, where standard error is a terminal; it is empty
// elsewhere.
func (m *Messenger) Bar(over, of int) string {
	if !m.Terminal || m.Quiet || of <= 0 {
		return ""
	}
	return bar(over, of, barWidth) + fmt.Sprintf(" %d %%", 100*over/of)
}

// bar returns a bar of so many columns.
func bar(over, of, columns int) string {
	full := columns * min(over, of) / max(1, of)
	return "[" + strings.Repeat("#", full) + strings.Repeat("-", columns-full) + "]"
}

// show draws the line.
func (j *Jobs) show() {
	j.mutex.Lock()
	elapsed := j.m.line.clock().Sub(j.began)
	left := time.Duration(0)
	if made := j.over - j.before; made > 0 {
		left = elapsed / time.Duration(made) * time.Duration(j.of-j.over)
	}
	parts := jobParts(j.over, j.of, slices.Clone(j.running), left)
	j.mutex.Unlock()
	j.m.lines.Lock()
	defer j.m.lines.Unlock()
	if elapsed >= firstShown {
		j.m.line.draw(j.m.w, parts)
	}
}

// Close takes the line off the terminal.
func (j *Jobs) Close() {
	close(j.stop)
	j.ended.Wait()
	j.m.Clear()
}

// jobParts returns how many jobs are over, and which run.
func jobParts(over, of int, running []string, left time.Duration) lineParts {
	line := lineParts{parts: []string{fmt.Sprintf("%s of %s over", wording.Grouped(int64(over)), wording.Grouped(int64(of)))}}
	if len(running) > 0 {
		line.what = running[0]
	}
	if left >= time.Second {
		line.parts = append(line.parts, "about "+wording.Duration(left)+" left")
	}
	if len(running) > 1 {
		line.parts = append(line.parts, fmt.Sprintf("%s running", wording.Grouped(int64(len(running)))))
	}
	return line
}

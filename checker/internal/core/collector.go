package core

import (
	"math"
	"runtime/debug"
	"sync"
)

// collector is the memory limit of the garbage collector. There is one for the whole process, but
// each solver may have its own. While all solvers at work have limits, it is the sum of these, but
// no more than it was before. If one has none, it is what it was before: a solver without a limit
// must not spend its time on garbage because of the limit of another.
var collector struct {
	mutex  sync.Mutex
	before int64   // its limit without solvers
	limits []int64 // of the solvers at work
}

// LimitCollector makes garbage be collected before the memory in use is much more than
// engines may fill, until release is called. Without a limit of memory the collector is not
// limited until then, whatever limits other solvers have.
func (s *Shared) LimitCollector() (release func()) {
	if s.MemoryBytes <= 0 {
		return limitCollector(math.MaxInt64)
	}
	return limitCollector(s.MemoryBytes / 100 * (memoryShare + 15))
}

// limitCollector counts limit among those of the solvers at work, until release is called.
// math.MaxInt64 stands for no limit.
func limitCollector(limit int64) (release func()) {
	c := &collector
	c.mutex.Lock()
	defer c.mutex.Unlock()
	if len(c.limits) == 0 {
		c.before = debug.SetMemoryLimit(-1)
	}
	c.limits = append(c.limits, limit)
	setCollector()
	return func() {
		c.mutex.Lock()
		defer c.mutex.Unlock()
		for i, l := range c.limits {
			if l == limit {
				c.limits = append(c.limits[:i], c.limits[i+1:]...)
				break
			}
		}
		setCollector()
	}
}

// setCollector sets the limit that the solvers at work ask for. Its caller holds the
// mutex.
func setCollector() {
	total := int64(0)
	for _, l := range collector.limits {
		if total += l; total < 0 {
			total = collector.before
			break
		}
	}
	if len(collector.limits) == 0 {
		total = collector.before
	}
	debug.SetMemoryLimit(min(total, collector.before))
}

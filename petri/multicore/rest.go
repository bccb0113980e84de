package multicore

// rest waits until there is something to do, for a worker that has nothing and whose markings
// are all published. It reports false if the exploration is over.
func (w *worker) rest() bool {
	x := w.x
	x.mutex.Lock()
	defer x.mutex.Unlock()
	// Counted before it looks: whoever publishes after it has looked sees that it rests.
	resting := x.resting.Add(1)
	defer x.resting.Add(-1)
	for !x.over {
		if x.halt.Load() || x.store.Left() {
			return true
		}
		if resting == int32(len(x.workers)) {
			// Nobody works, and nothing is left to go on from: it is complete.
			x.endNow(nil)
			return false
		}
		x.work.Wait()
		resting = x.resting.Load()
	}
	return false
}

// share wakes a worker that rests, if there is enough for two.
func (w *worker) share() {
	x := w.x
	if x.resting.Load() > 0 && w.arena.Backlog() >= 2*claimed {
		x.mutex.Lock()
		x.work.Signal()
		x.mutex.Unlock()
	}
}

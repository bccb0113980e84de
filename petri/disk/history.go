package disk

import "slices"

// A history is all markings met before the open ones, in runs, the largest first. Each run is
// at least twice as large as all that follow it together. So a marking is written again only
// as often as the number of markings doubles.
type history struct {
	runs    []*run
	streams []*stream
	count   int64
}

// remember adds a run to the history, whose markings are not in it, and merges runs.
func (e *exploration) remember(r *run) (err error) {
	h := &e.history
	h.count += r.count
	h.runs = append(h.runs, r)
	h.runs, err = e.mergeLast(h.runs, min(len(h.runs)-1, e.sizes.fanIn-1))
	return err
}

// mergeLast merges runs from the first-th on, if these are two or more, and with them those before
// that are not much larger.
func (e *exploration) mergeLast(runs []*run, first int) ([]*run, error) {
	together := int64(0)
	for _, r := range runs[first:] {
		together += r.count
	}
	for first > 0 && runs[first-1].count < 2*together {
		first--
		together += runs[first].count
	}
	if first == len(runs)-1 {
		return runs, nil
	}
	merged, err := e.mergeRuns(runs[first:])
	if err != nil {
		return runs, err
	}
	return append(slices.Delete(runs, first, len(runs)), merged), nil
}

// mergeRuns merges runs, and removes them.
func (e *exploration) mergeRuns(runs []*run) (*run, error) {
	streams, err := e.openAll(runs)
	if err != nil {
		return nil, err
	}
	merged, err := e.write(newMerger(e.width, streams), false)
	e.closeAll(streams)
	if err != nil {
		return nil, err
	}
	for _, r := range runs {
		r.remove()
	}
	return merged, nil
}

// openAll returns streams of runs at their first keys.
func (e *exploration) openAll(runs []*run) ([]*stream, error) {
	streams := e.begin(runs)
	for _, s := range streams {
		if err := s.fill(); err != nil {
			return nil, err
		}
	}
	return streams, nil
}

// begin returns streams of runs. Nothing is read of them yet.
func (e *exploration) begin(runs []*run) []*stream {
	streams := make([]*stream, 0, len(runs))
	for _, r := range runs {
		s := &stream{account: e.account}
		if n := len(e.idle); n > 0 {
			s, e.idle = e.idle[n-1], e.idle[:n-1]
		}
		s.begin(r)
		streams = append(streams, s)
	}
	return streams
}

// closeAll keeps what streams of runs have as room for others.
func (e *exploration) closeAll(streams []*stream) {
	for _, s := range streams {
		if s.run != nil {
			s.run, s.current = nil, nil
			e.idle = append(e.idle, s)
		}
	}
}

// write writes what a merger has as a run. If only new keys are wanted, it leaves out those of
// the history.
func (e *exploration) write(m *merger, onlyNew bool) (*run, error) {
	w, err := newWriter(e.folder, e.width, e.sizes, e.account)
	if err != nil {
		return nil, err
	}
	if onlyNew {
		e.history.streams = e.begin(e.history.runs)
		defer func() { e.closeAll(e.history.streams) }()
	}
	for {
		key, err := m.next()
		if err != nil {
			return nil, err
		}
		if key == nil {
			return w.finish()
		}
		known := false
		if onlyNew {
			if known, err = e.history.has(key); err != nil {
				return nil, err
			}
		}
		if err := e.account.Charge(mergeWork); err != nil {
			return nil, err
		}
		if !known {
			if err := w.add(key); err != nil {
				return nil, err
			}
		}
	}
}

// mergeWork is about what it costs to take a key from a merger, in nanoseconds.
const mergeWork = 32

// has reports whether a key is in the history. Keys are asked for in ascending order.
func (h *history) has(key []uint64) (bool, error) {
	for _, s := range h.streams {
		if found, err := s.find(key); found || err != nil {
			return found, err
		}
	}
	return false, nil
}

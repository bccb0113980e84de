package main

import (
	"sync"

	"pnmc/cmd/pnmc/internal/progress"
)

// contestProgress shows how far an examination is: that files are read, then which questions
// are open. The run may go on when nobody waits for it any more.
type contestProgress struct {
	m     *progress.Messenger
	mutex sync.Mutex // guards what follows
	end   func()     // of what is shown; nil: closed
}

// asked shows questions from now on.
func (p *contestProgress) asked(names []string) (answered func(question int, write func())) {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	if p.end == nil {
		return func(_ int, write func()) { write() }
	}
	p.end()
	w := p.m.Watch(names)
	p.end = w.End
	return w.Tell
}

// close takes the line off the terminal.
func (p *contestProgress) close() {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	if p.end != nil {
		p.end()
		p.end = nil
	}
}

package main

import (
	"bytes"
	"errors"
	"strings"
	"sync"
	"testing"
	"time"

	"pnmc/cmd/pnmc/internal/progress"
	"pnmc/symbolic"
)

// signalling tells of the first text that is written.
type signalling struct {
	mutex   sync.Mutex
	text    bytes.Buffer
	written chan struct{}
}

func (s *signalling) Write(text []byte) (int, error) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if s.text.Len() == 0 {
		close(s.written)
	}
	return s.text.Write(text)
}

// TestDiagramsHaveAProgress: while states explores with decision diagrams, the line tells
// what, how long, and with what memory, until the end.
func TestDiagramsHaveAProgress(t *testing.T) {
	const eraseLine = "\r\x1b[K"
	now := time.Unix(1000, 0)
	w := &signalling{written: make(chan struct{})}
	m := progress.OnTerminal(w, 100, func() time.Time { return now })
	explored := errors.New("explored")
	explore := func(symbolic.Options) (*symbolic.StateSpace, error) {
		select {
		case <-w.written:
		case <-time.After(time.Minute):
			t.Error("no line")
		}
		return nil, explored
	}
	if err := countSymbolically(t.Context(), nil, m, diagramModel{name: "Kanban", explore: explore}, symbolic.Options{}); !errors.Is(err, explored) {
		t.Error(err)
	}
	if text := w.text.String(); !strings.HasPrefix(text, eraseLine+"Kanban: decision diagrams") || !strings.HasSuffix(text, eraseLine) || strings.Contains(text, "0 seconds") {
		t.Errorf("%q", text)
	}
	quiet := progress.OnTerminal(w, 100, func() time.Time { return now })
	quiet.Quiet = true
	w.text.Reset()
	if quiet.During("p", "waiting")(); w.text.Len() > 0 {
		t.Errorf("quiet: %q", &w.text)
	}
}

package core

import (
	"context"
	"testing"

	"pnmc/internal/petritest"
	"pnmc/petri"
	"pnmc/petri/reduce"
)

// TestGraphOfWhatIsAnsweredIsKept: that all is answered, and the context of those who worked has ended, leaves the graph for
// later questions. Where there is no room, none is kept.
func TestGraphOfWhatIsAnsweredIsKept(t *testing.T) {
	net := petritest.Philosophers(3)
	for _, room := range []bool{true, false} {
		memory := int64(1 << 40)
		if !room {
			memory = 1 << 20 // less than the process has
		}
		ended, cancel := context.WithCancel(t.Context())
		cancel()
		task := &Task{Shared: NewShared(Settings{MemoryBytes: memory}, 1), Whole: ended, Net: net}
		g := petri.NewKripke(net, petri.Facts{}, petri.Budget{})
		if _, err := g.Successors(g.Initial()); err != nil {
			t.Fatal(err)
		}
		task.KeepGraph(g)
		if kept := task.GraphOn(&reduce.Reduction{Net: net}, petri.Facts{}) == g; kept != room {
			t.Errorf("room %t: kept %t", room, kept)
		}
	}
}

package output_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"pnmc/cmd/pnmc/internal/output"
)

// slowReader says that something is written to it, and takes it when it may.
type slowReader struct{ asked, may chan bool }

func (r slowReader) Write(text []byte) (int, error) {
	r.asked <- true
	<-r.may
	return len(text), nil
}

// TestSettleLooksOften: what is being written when a command ends is looked at several times, however
// late it is: if other processes leave no time to this one, its clock alone says nothing of the reader.
func TestSettleLooksOften(t *testing.T) {
	ctx, unfinished := output.WithUnfinished(context.Background())
	reader := slowReader{make(chan bool), make(chan bool)}
	go fmt.Fprint(output.Watch(ctx, "output", reader), "text")
	<-reader.asked
	time.AfterFunc(5*time.Millisecond, func() { close(reader.may) })
	if err := unfinished.Settle(0); err != nil {
		t.Errorf("%v, though it was read", err)
	}
}

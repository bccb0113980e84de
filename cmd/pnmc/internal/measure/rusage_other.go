//go:build !unix

package measure

import "time"

// processorTime returns the time since the program began, where the processor time
// that it used can't be asked for.
func processorTime() time.Duration { return time.Since(programStart) }

var programStart = time.Now()

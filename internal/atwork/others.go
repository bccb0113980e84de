// Package atwork lists what goroutines of the module do, for tests of operations that must leave
// nothing at work when they return.
//
// In come no arguments; out come the stacks of goroutines, at once: it does not wait for any to end.
package atwork

import (
	"runtime"
	"strings"
)

// Others returns the stacks of the goroutines, other than the one that calls, that run a function of
// this module, or have not begun and will, by WaitGroup.Go. One that runs none any more, since it has
// just returned from it, is not listed.
func Others() []string {
	text := make([]byte, 1<<20)
	stacks := strings.Split(string(text[:runtime.Stack(text, true)]), "\n\n")
	var others []string
	for _, stack := range stacks[1:] { // the first is that of the caller
		running, _, _ := strings.Cut(stack, "\ncreated by ")
		if strings.Contains(running, "\npnmc/") || strings.Contains(running, "\nsync.(*WaitGroup).Go.func1(") {
			others = append(others, stack)
		}
	}
	return others
}

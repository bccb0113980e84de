package process

import (
	"os"
	"runtime"
	"strings"
	"sync"
)

// Machine names the computer that this process runs on, and its processor. That is the
// model, where the system gives it in the way of Linux, or else the architecture.
var Machine = sync.OnceValues(func() (host, processor string) {
	host, err := os.Hostname()
	if err != nil {
		host = "?"
	}
	text, _ := os.ReadFile("/proc/cpuinfo") // there may be none
	for line := range strings.Lines(string(text)) {
		name, value, _ := strings.Cut(line, ":")
		if strings.TrimSpace(name) == "model name" && strings.TrimSpace(value) != "" {
			return host, strings.Join(strings.Fields(value), " ")
		}
	}
	return host, runtime.GOARCH
})

//go:build unix

package cross

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"pnmc/logic/ltl"
)

// A translator that hangs is killed together with what it started, and so is what
// a translator leaves behind.
func TestCommandEndsItsGroup(t *testing.T) {
	for name, script := range map[string]string{
		"hanging":      "sleep 60 & echo $! >%s; echo trouble >&2; wait",
		"leaving some": "sleep 60 >/dev/null & echo $! >%s; echo trouble >&2",
	} {
		file := filepath.Join(t.TempDir(), "process")
		c, err := ParseCommand(`sh -c "` + strings.Replace(script, "%s", file, 1) + `" %f`)
		if err != nil {
			t.Fatal(err)
		}
		var complaints strings.Builder
		c.Complaints = &complaints
		ctx, cancel := context.WithTimeout(context.Background(), time.Second)
		s := ltl.NewFormulas()
		_, err = c.Translate(ctx, s, s.True())
		cancel()
		var failure *Failure
		if !errors.As(err, &failure) || (failure.Kind == TimedOut) != (name == "hanging") || complaints.String() != "trouble\n" {
			t.Errorf("%s: %v, %q", name, err, &complaints)
		}
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		process, err := strconv.Atoi(strings.TrimSpace(string(text)))
		if err != nil {
			t.Fatal(err)
		}
		if !gone(process) {
			t.Errorf("%s: process %d is still there", name, process)
		}
	}
}

// gone waits a while for a process to disappear; one that only waits to be reaped
// has disappeared.
func gone(process int) bool {
	for range 200 {
		if syscall.Kill(process, 0) != nil {
			return true
		}
		status, err := os.ReadFile("/proc/" + strconv.Itoa(process) + "/stat")
		if err == nil && strings.Contains(string(status), ") Z ") {
			return true
		}
		time.Sleep(10 * time.Millisecond)
	}
	return false
}

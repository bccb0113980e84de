//go:build !linux

package process

import "os/exec"

// DieTogether does nothing: processes that are left behind end at their own limits, or
// when their input ends.
func DieTogether(*exec.Cmd) (release func()) { return func() {} }

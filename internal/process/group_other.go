//go:build !unix

package process

import "os/exec"

// OwnGroup does nothing where there are no groups of processes: only the command
// itself is killed.
func OwnGroup(*exec.Cmd) {}

// EndGroup does nothing either.
func EndGroup(*exec.Cmd) {}

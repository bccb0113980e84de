//go:build !unix

package cross

import "os/exec"

// ownGroup does nothing where there are no groups of processes: only the command
// itself is killed.
func ownGroup(*exec.Cmd) {}

// endGroup does nothing either.
func endGroup(*exec.Cmd) {}

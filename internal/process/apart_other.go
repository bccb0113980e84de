//go:build !unix

package process

import "os/exec"

// Apart does nothing.
func Apart(*exec.Cmd) {}

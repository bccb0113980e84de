//go:build !linux

package chamber

import (
	"os"
	"os/exec"
	"time"
)

// Elsewhere processes have no group of their own here, and memory is not measured.

func ownGroup(*exec.Cmd) {}

func killGroup(command *exec.Cmd) { _ = command.Process.Kill() } // it may have ended

func askWhere(command *exec.Cmd) { killGroup(command) }

func peak(*os.ProcessState) int64 { return 0 }

func resident(int) int64 { return 0 }

func forgetPeak() int64 { return 0 }

func waited(int) time.Duration { return 0 }

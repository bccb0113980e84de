//go:build !unix

package process

import "os"

// WasKilled reports nothing: the system does not tell.
func WasKilled(*os.ProcessState) bool { return false }

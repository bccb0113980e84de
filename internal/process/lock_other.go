//go:build !(darwin || dragonfly || freebsd || linux || netbsd || openbsd)

package process

import "os"

// Lock takes the file for this process alone, where the system can.
func Lock(*os.File) (taken bool, err error) { return false, nil }

// Free reports nothing: the system does not tell.
func Free(*os.File) bool { return false }

// Hold does nothing, and reports that the process has the file.
func Hold(string) (release func(), held bool, err error) { return func() {}, true, nil }

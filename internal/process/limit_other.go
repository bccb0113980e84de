//go:build !linux

package process

// LimitMemory does nothing: the system bounds a process from within only.
func LimitMemory(int, int64) error { return nil }

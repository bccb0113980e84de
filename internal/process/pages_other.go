//go:build !linux

package process

// ForgetProgram does nothing.
func ForgetProgram() {}

package unpack

import (
	"errors"
	"io/fs"
	"os"
	"slices"
	"strings"
)

// readable are the operations whose names are words that tell what was done. The others,
// such as stat, are names of system calls.
var readable = []string{"create", "read", "write"}

// Words returns the text of err without the names of system calls, at whatever depth they are:
// "stat net.pnml: no such file or directory" is "net.pnml: no such file or directory".
func Words(err error) string {
	if err == nil {
		return ""
	}
	text := err.Error()
	for _, inner := range innermost(err) {
		text = strings.Replace(text, inner.Error(), inner.plain, 1)
	}
	return text
}

// fileError is an error about a file, and its text without a system call.
type fileError struct {
	error
	plain string
}

// innermost returns the errors about files among those that err is made of.
func innermost(err error) []fileError {
	var file *fs.PathError
	var link *os.LinkError
	switch x := err.(type) {
	case interface{ Unwrap() []error }:
		var all []fileError
		for _, one := range x.Unwrap() {
			all = append(all, innermost(one)...)
		}
		return all
	case *fs.PathError:
		file = x
	case *os.LinkError:
		link = x
	default:
		if inner := errors.Unwrap(err); inner != nil {
			return innermost(inner)
		}
		return nil
	}
	if link != nil {
		return []fileError{{link, link.New + ": " + link.Err.Error()}}
	}
	if slices.Contains(readable, file.Op) {
		return nil
	}
	return []fileError{{file, file.Path + ": " + file.Err.Error()}}
}

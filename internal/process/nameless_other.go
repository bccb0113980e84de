//go:build !linux

package process

import (
	"errors"
	"os"
)

// openNameless makes no file: the system can't.
func openNameless(string) (*os.File, error) { return nil, errors.ErrUnsupported }

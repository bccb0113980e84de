package process

import (
	"errors"
	"os"
)

// Nameless makes a file in a folder that has no name there, to be read and written: it goes with the process,
// however that ends. Where the system makes none, the file has a name of this pattern for a moment. A process
// that is killed then leaves it, empty. And where a name can't go before the file is closed, as on Windows, it
// has one until then. Whoever closes it then removes it by that name.
func Nameless(folder, pattern string) (file *os.File, named bool, err error) {
	if file, err := openNameless(folder); err == nil {
		return file, false, nil
	}
	file, err = os.CreateTemp(folder, pattern)
	if failed := (*os.PathError)(nil); errors.As(err, &failed) {
		failed.Path = folder // it is the folder that makes none, whatever the name
	}
	if err != nil {
		return nil, false, err
	}
	err = os.Remove(file.Name())
	return file, err != nil && !errors.Is(err, os.ErrNotExist), nil
}

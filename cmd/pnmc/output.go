package main

import (
	"errors"
	"os"
	"path/filepath"
)

// writeFile makes a file appear whole or not at all.
func writeFile(path string, text []byte) error {
	f, err := os.CreateTemp(filepath.Dir(path), filepath.Base(path)+".*.part")
	if err != nil {
		return inputError(err)
	}
	_, err = f.Write(text)
	err = errors.Join(err, f.Chmod(0o644), f.Close())
	if err == nil {
		err = os.Rename(f.Name(), path)
	}
	if err != nil {
		os.Remove(f.Name())
		return inputError(err)
	}
	return nil
}

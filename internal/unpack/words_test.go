package unpack

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"
)

// TestWords: no name of a system call is told, wherever the error is that has it.
func TestWords(t *testing.T) {
	absent := filepath.Join(t.TempDir(), "absent")
	_, stat := os.Stat(absent)
	_, open := os.Open(absent)
	rename := os.Rename(absent, absent+"2")
	plain := absent + ": no such file or directory"
	for _, test := range []struct {
		err  error
		want string
	}{
		{nil, ""},
		{errors.New("stat is a word"), "stat is a word"},
		{stat, plain},
		{fmt.Errorf("--oracle: %w", stat), "--oracle: " + plain},
		{errors.Join(stat, fmt.Errorf("also %w", open)), plain + "\nalso " + plain},
		{rename, absent + "2: no such file or directory"},
		{&os.PathError{Op: "create", Path: "a/b", Err: os.ErrNotExist}, "create a/b: file does not exist"},
	} {
		if got := Words(test.err); got != test.want {
			t.Errorf("%q, expected %q", got, test.want)
		}
	}
}

//go:build unix

package cross

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"pnmc/internal/account"
	"pnmc/logic/ltl"
)

// TestOutputFileIsNoFile: whatever a translator makes in place of the file that it is to write, its translation fails
// at once with a reason that does not name the folder, and the folder is removed.
func TestOutputFileIsNoFile(t *testing.T) {
	const automaton = `printf 'HOA: v1 Acceptance: 0 f --BODY-- --END--\n'`
	folder := t.TempDir()
	t.Setenv("TMPDIR", folder)
	for script, want := range map[string]string{
		"mkfifo $1":                         "rubbish: %O: expected a regular file, found a pipe",
		"ln -s /dev/zero $1":                "rubbish: %O: expected a regular file, found a device",
		"ln -s /dev/tty $1":                 "rubbish: %O: expected a regular file, found a device",
		"mkdir $1":                          "rubbish: %O: is a directory, expected a file",
		"ln -s $1 $1":                       "rubbish: open %O: ",
		"true":                              "rubbish: no automaton was written to %O",
		"ln -s $1.none $1":                  "rubbish: no automaton was written to %O",
		"truncate -s 2T $1":                 "rubbish: more than 67108864 bytes of output",
		"truncate -s 1M $1":                 "rubbish: output:1:1: expected an automaton that begins with 'HOA:', found '\x00'",
		automaton + " >$1":                  "",
		automaton + " >$1.x; ln -s $1.x $1": "",
		automaton + " >$1; truncate -s 67108865 $1": "rubbish: more than 67108864 bytes of output",
	} {
		c, err := ParseCommand(`sh -c "` + script + `" %f %O`)
		if err != nil {
			t.Fatal(err)
		}
		done := make(chan error, 1)
		go func() {
			ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
			defer cancel()
			s := ltl.NewFormulas()
			_, err := c.Translate(ctx, s, s.True())
			done <- err
		}()
		select {
		case err = <-done:
		case <-time.After(2 * time.Minute):
			t.Fatalf("%s: the translation does not end", script)
		}
		told := ""
		if err != nil {
			told = err.Error()
		}
		if !strings.HasPrefix(told, want) || want == "" && told != "" {
			t.Errorf("%s: %q, expected %q", script, told, want)
		}
		if left, err := os.ReadDir(folder); err != nil || len(left) > 0 {
			t.Errorf("%s: %v is left, %v", script, left, err)
		}
	}
}

// TestOutputFileThatGrows: what is appended to the file while it is read is not read beyond the limit, and reading ends
// with the context, in the middle of a file, too.
func TestOutputFileThatGrows(t *testing.T) {
	s := ltl.NewFormulas()
	path := filepath.Join(t.TempDir(), "output")
	for _, begin := range []string{"HOA: v1 Acceptance: 0 f --BODY-- --END--\n/*", "digraph G {\n/*\n"} {
		if err := os.WriteFile(path, []byte(begin), 0o600); err != nil {
			t.Fatal(err)
		}
		open := func(ctx context.Context) *outputFile {
			if err := os.Truncate(path, int64(len(begin))); err != nil {
				t.Fatal(err)
			}
			f, err := openOutput(path, account.Of(ctx))
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { f.file.Close() })
			if err := os.Truncate(path, 4*maxOutput); err != nil { // which takes no room
				t.Skip(err)
			}
			return f
		}
		if n, err := io.Copy(io.Discard, open(context.Background())); n > maxOutput || !errors.Is(err, errOutput) {
			t.Errorf("%d bytes, %v", n, err)
		}
		var failure *Failure
		if begin[0] == 'H' { // a line of a drawing is never so long
			if _, err := readOne(context.Background(), open(context.Background()), s, s.True()); !errors.As(err, &failure) || failure.Reason != errOutput.Error() {
				t.Errorf("%s: %v", begin, err)
			}
		}
		late, cancel := context.WithCancel(context.Background())
		f, copied := open(late), open(late)
		cancel()
		if n, err := io.Copy(io.Discard, copied); n > 8<<20 || !errors.Is(err, context.Canceled) {
			t.Errorf("%d bytes behind the end, %v", n, err)
		}
		if _, err := readOne(late, f, s, s.True()); !errors.As(err, &failure) || failure.Kind != TimedOut {
			t.Errorf("%s: %v", begin, err)
		}
		if f.left < maxOutput-8<<20 {
			t.Errorf("%s: %d bytes were read behind the end", begin, maxOutput-f.left)
		}
	}
}

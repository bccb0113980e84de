package chamber

import (
	"io"
	"os"
	"os/exec"
	"time"

	"github.com/creack/pty"
)

// keyEvery is the time between two keys, and keysTime what a game may take beside its limit.
const (
	keyEvery = 2 * time.Millisecond
	keysTime = 2 * time.Second
)

// endings are pressed again and again until the game ends, with time between them: Escape and a
// key soon after it are another key.
var endings = []string{"\x1b", "q", "\r"}

const endingEvery = 100 * time.Millisecond

// startInTerminal starts a command in a terminal of its own, presses what is on standard input, and
// copies what is on the screen to standard output. Keys are pressed once something is shown, as
// what was pressed before is thrown away. What is returned waits until all is copied.
func startInTerminal(command *exec.Cmd) (over func(), err error) {
	keys, err := io.ReadAll(os.Stdin)
	if err != nil {
		return nil, err
	}
	command.Stdin, command.Stdout = nil, nil
	screen, err := pty.StartWithSize(command, &pty.Winsize{Rows: 24, Cols: 100})
	if err != nil {
		return nil, err
	}
	shown, copied := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(copied)
		part := make([]byte, 4096)
		for first := true; ; first = false {
			n, err := screen.Read(part)
			_, _ = os.Stdout.Write(part[:n]) // a file
			if err != nil {
				return
			}
			if first {
				close(shown)
			}
		}
	}()
	go func() {
		select {
		case <-shown:
		case <-copied:
			return
		}
		for i := range keys {
			if _, err := screen.Write(keys[i : i+1]); err != nil {
				return
			}
			time.Sleep(keyEvery)
		}
		for { // a search or a page of help may have the keys
			for _, key := range endings {
				if _, err := screen.Write([]byte(key)); err != nil {
					return
				}
				time.Sleep(endingEvery)
			}
		}
	}()
	return func() {
		select {
		case <-copied:
		case <-time.After(time.Second): // a child holds the terminal
		}
	}, nil
}

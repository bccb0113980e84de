package main

import (
	"bytes"
	"context"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/creack/pty"

	"pnmc/cmd/pnmc/internal/exit"
)

// terminal is a process in a terminal of its own, and what it wrote there.
type terminal struct {
	t       *testing.T
	command *exec.Cmd
	keys    io.Writer
	mutex   sync.Mutex
	text    bytes.Buffer
	read    chan struct{} // closed once all that was written is read
}

// inTerminal starts pnmc in a terminal.
func inTerminal(t *testing.T, environment []string, arguments ...string) *terminal {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	x := &terminal{t: t, command: exec.Command(self, arguments...), read: make(chan struct{})}
	x.command.Env = append(append(os.Environ(), asTranslator+"=program", "TERM=xterm-256color", "LC_ALL=C.UTF-8", "NO_COLOR="), environment...)
	file, err := pty.StartWithSize(x.command, &pty.Winsize{Rows: 24, Cols: 100})
	if err != nil {
		t.Skipf("there is no terminal to be had: %v", err)
	}
	x.keys = file
	t.Cleanup(func() {
		_ = x.command.Process.Kill() // it may have ended
		_ = file.Close()
	})
	go func() {
		defer close(x.read)
		part := make([]byte, 4096)
		for {
			n, err := file.Read(part)
			x.mutex.Lock()
			x.text.Write(part[:n])
			x.mutex.Unlock()
			if err != nil {
				return
			}
		}
	}()
	return x
}

// escapes are control sequences of a terminal.
var escapes = regexp.MustCompile(`\x1b\[[0-9;?<>]*[A-Za-z]|\x1b[()][A-Z0-9]|\x1b[=>78]|\x1b\][^\a\x1b]*(\a|\x1b\\)`)

// written returns all that was written so far, raw.
func (x *terminal) written() string {
	x.mutex.Lock()
	defer x.mutex.Unlock()
	return x.text.String()
}

// waits waits until a text was written, control sequences left out. Parts of a screen that
// do not change are not written again.
func (x *terminal) waits(text string) {
	x.t.Helper()
	for begun := time.Now(); ; time.Sleep(5 * time.Millisecond) {
		if strings.Contains(escapes.ReplaceAllString(x.written(), ""), text) {
			return
		}
		if time.Since(begun) > time.Minute {
			x.t.Fatalf("the terminal does not show %q:\n%q", text, x.written())
		}
	}
}

func (x *terminal) press(keys string) {
	x.t.Helper()
	x.mutex.Lock()
	x.text.Reset()
	x.mutex.Unlock()
	if _, err := io.WriteString(x.keys, keys); err != nil {
		x.t.Fatal(err)
	}
}

// ends waits for the end of the process, and returns its exit code.
func (x *terminal) ends() int {
	x.t.Helper()
	done := make(chan struct{})
	go func() {
		_ = x.command.Wait() // the exit code says it
		<-x.read
		close(done)
	}()
	select {
	case <-done:
	case <-time.After(time.Minute):
		x.t.Fatal("the command does not end")
	}
	return x.command.ProcessState.ExitCode()
}

// TestPlayInTerminal plays a run of a coloured net in a terminal: keys fire its steps, the
// terminal is left as it was, signals end the game.
func TestPlayInTerminal(t *testing.T) {
	runs := filepath.Join(t.TempDir(), "runs.json")
	var stdout, stderr bytes.Buffer
	if code := run(context.Background(), []string{"pnmc", "--pnml", "testdata/token.pnml", "--ltl", "G(work <= 2)", "--trace", runs}, nil, &stdout, &stderr); code != exit.Violated {
		t.Fatalf("exit code %d, %s", code, &stderr)
	}
	x := inTerminal(t, nil, "play", "testdata/token.pnml", runs)
	x.waits("Run 1 of 1, G(work <= 2): step 0 of")
	x.waits("start[x=a]")
	if !strings.Contains(x.written(), "\x1b[?1049h") {
		t.Error("the game does not take a screen of its own")
	}
	x.press("\x1b[C") // the arrow to the right
	x.waits("Fired: start[x=")
	x.waits("(+1)")
	x.press("q")
	if code := x.ends(); code != exit.Holds {
		t.Errorf("q: exit code %d", code)
	}
	if !strings.Contains(x.written(), "\x1b[?1049l") {
		t.Error("the terminal keeps the game's screen")
	}

	x = inTerminal(t, nil, "play", "../../testdata/mailbox.pnml")
	x.waits("Enabled (2)")
	if err := x.command.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	if code := x.ends(); code != exit.Unknown {
		t.Errorf("after a signal: exit code %d", code)
	}
	if !strings.Contains(x.written(), "\x1b[?1049l") {
		t.Error("after a signal the terminal keeps the game's screen")
	}
}

// TestPlayTakesAnyBytes: what is no text, as pasted from a file of another encoding, is passed over.
func TestPlayTakesAnyBytes(t *testing.T) {
	x := inTerminal(t, nil, "play", "../../testdata/mailbox.pnml")
	x.waits("Enabled (2)")
	x.press("\xff\xfe\xc3(\x80\r")
	x.waits("Fired: ")
	x.press("q")
	if code := x.ends(); code != exit.Holds {
		t.Errorf("q: exit code %d", code)
	}
}

// TestPlayNoColor: NO_COLOR is honoured.
func TestPlayNoColor(t *testing.T) {
	colour := regexp.MustCompile(`\x1b\[([0-9;]*;)?(3[0-7]|38;[0-9;]*|9[0-7])(;[0-9;]*)?m`)
	for _, variable := range []string{"NO_COLOR=1", "NO_COLOR="} {
		x := inTerminal(t, []string{variable}, "play", "../../testdata/mailbox.pnml")
		x.waits("Enabled (2)")
		x.press("\r")
		x.waits("Fired: ")
		x.press("u")
		x.waits("The initial marking.")
		x.press("\r")
		x.waits("Fired: ")
		if has := colour.MatchString(x.written()); has != (variable == "NO_COLOR=") {
			t.Errorf("%s: colours: %v in %q", variable, has, x.written())
		}
		x.press("\x03")
		if code := x.ends(); code != exit.Holds {
			t.Errorf("Ctrl-C: exit code %d", code)
		}
	}
}

// TestPlayNamesTheFile: a run that does not fire is told with the file that it is in.
func TestPlayNamesTheFile(t *testing.T) {
	runs := filepath.Join(t.TempDir(), "runs.json")
	write(t, runs, `{"name":"x","prefix":[{"deadlock":true}]}`)
	var stdout, stderr bytes.Buffer
	code := run(t.Context(), []string{"pnmc", "play", "../../testdata/philosophers.pnml", runs}, nil, &stdout, &stderr)
	if code != exit.Input || !strings.HasPrefix(stderr.String(), "pnmc: "+runs+": x: step 1") {
		t.Errorf("exit code %d, %s", code, &stderr)
	}
}

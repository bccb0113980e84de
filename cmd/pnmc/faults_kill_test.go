//go:build unix

package main

import (
	"bytes"
	"encoding/csv"
	"errors"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"pnmc/cmd/pnmc/internal/batches"
	"pnmc/cmd/pnmc/internal/exit"
)

// fields returns some columns of a table, sorted by rows.
func fields(t *testing.T, path string, columns ...string) [][]string {
	t.Helper()
	rows, err := csv.NewReader(strings.NewReader(read(t, path))).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	var list [][]string
	for _, row := range rows[1:] {
		var chosen []string
		for _, c := range columns {
			chosen = append(chosen, row[slices.Index(rows[0], c)])
		}
		list = append(list, chosen)
	}
	slices.SortFunc(list, slices.Compare[[]string])
	return list
}

// series is a command that is killed and called again.
type series struct {
	name string
	// arguments make it write below a folder.
	arguments func(folder string) []string
	// log grows while it runs, and result is what it has in the end; of some columns.
	log, result string
	columns     []string
}

func seriesOf(t *testing.T) []series {
	models := t.TempDir()
	for _, name := range []string{"A-PT-1", "B-PT-1", "C-PT-1"} {
		if err := os.Rename(contestFolder(t), filepath.Join(models, name)); err != nil {
			t.Fatal(err)
		}
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	return []series{
		{"batch", func(folder string) []string {
			return []string{"batch", models, "--examinations", "OneSafe,ReachabilityDeadlock,ReachabilityCardinality,StateSpace", "--time", "30",
				"--memory", "1G", "--jobs", "2", "--quiet", "--out", folder}
		}, journalFile, batches.AnswersFile, []string{"instance", "examination", "question", "answered"}},
		{"bench", func(folder string) []string {
			return []string{"bench", "--pnml", "../../testdata/philosophers.pnml", "--formulas", "../../testdata/philosophers.hoa", "--jobs", "2",
				"--quiet", "-o", filepath.Join(folder, "measured.csv")}
		}, "measured.csv", "measured.csv", []string{"line", "approach", "verdict", "full_states"}},
		{"cross", func(folder string) []string {
			return []string{"cross", "-f", "G(a -> F b)", "-f", "a U (b U c)", "--quiet", "--json", filepath.Join(folder, "cross.json"), "--csv", filepath.Join(folder, "cross.csv"), "--",
				self + " translate %f", self + " translate --to ba %f"}
		}, "", "cross.csv", []string{"formula", "states"}},
	}
}

// TestKilledAndCalledAgain ends batch, bench and cross at random moments, by a signal that
// they can catch or by one that they cannot, and in the end calls them once more. What was in
// their files stays there, and in the end there is what a call without interruption gives, each
// answer once.
func TestKilledAndCalledAgain(t *testing.T) {
	if testing.Short() {
		t.Skip("many processes")
	}
	const mostKills = 6
	for _, s := range seriesOf(t) {
		for _, signal := range []syscall.Signal{syscall.SIGKILL, syscall.SIGTERM} {
			t.Run(s.name+" "+signal.String(), func(t *testing.T) {
				random := rand.New(rand.NewPCG(1, uint64(signal)))
				whole := t.TempDir()
				begun := time.Now()
				complete := exitCode(t, program(t, s.arguments(whole)...))
				took := time.Since(begun)
				folder := t.TempDir()
				var known []string
				for kills := range mostKills + 1 {
					command := program(t, s.arguments(folder)...)
					var messages bytes.Buffer
					command.Stderr = &messages
					if err := command.Start(); err != nil {
						t.Fatal(err)
					}
					if kills < mostKills {
						time.Sleep(time.Duration(random.Int64N(int64(took))))
						_ = command.Process.Signal(signal) // it may have ended
					}
					_ = command.Wait()
					known = s.keeps(t, folder, known)
					// Before its first line runs, the program cannot catch a signal.
					switch code := command.ProcessState.ExitCode(); {
					case kills == mostKills && code != complete:
						t.Errorf("in the end the exit code is %d, expected %d: %s", code, complete, &messages)
					case kills < mostKills && code != complete && code != exit.Unknown && code != -1:
						t.Errorf("interrupted, the exit code is %d: %s", code, &messages)
					}
				}
				expected, found := fields(t, filepath.Join(whole, s.result), s.columns...), fields(t, filepath.Join(folder, s.result), s.columns...)
				if !slices.EqualFunc(expected, found, slices.Equal[[]string]) {
					t.Errorf("in the end there is\n%q\nexpected\n%q", found, expected)
				}
			})
		}
	}
}

// keeps checks that the log still has the lines known before, but for seconds, and
// returns those that it has now.
func (s series) keeps(t *testing.T, folder string, known []string) []string {
	t.Helper()
	if s.log == "" {
		return nil
	}
	text, err := os.ReadFile(filepath.Join(folder, s.log))
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		t.Fatal(err)
	}
	for _, line := range known {
		if !strings.Contains(string(text), line) {
			t.Errorf("lost: %s", line)
		}
	}
	var lines []string
	for line := range strings.Lines(string(text)) {
		if strings.HasSuffix(line, "\n") {
			lines = append(lines, line)
		}
	}
	return lines
}

// TestTwoBatchesAtOnce: the second on the same folder of results is refused; when the first
// is gone, however it ended, it is let in.
func TestTwoBatchesAtOnce(t *testing.T) {
	folder, out := contestFolder(t), filepath.Join(t.TempDir(), "results")
	arguments := []string{"batch", folder, "--examinations", "OneSafe", "--time", "30", "--memory", "1G", "--out", out}
	if err := os.MkdirAll(out, 0o755); err != nil {
		t.Fatal(err)
	}
	// The first is a process that has the journal, and hangs.
	first := exec.CommandContext(t.Context(), "flock", filepath.Join(out, journalFile), "sh", "-c", "echo ready; exec sleep 60")
	if _, err := exec.LookPath("flock"); err != nil {
		t.Skip("no flock here")
	}
	ready, err := first.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	first.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if err := first.Start(); err != nil {
		t.Fatal(err)
	}
	end := func() { _ = syscall.Kill(-first.Process.Pid, syscall.SIGKILL) }
	defer end()
	if _, err := ready.Read(make([]byte, 10)); err != nil {
		t.Fatal(err)
	}
	second := program(t, arguments...)
	var messages bytes.Buffer
	second.Stderr = &messages
	if code := exitCode(t, second); code != exit.Input || !strings.Contains(messages.String(), "another batch is writing its results here") {
		t.Errorf("exit code %d, %s", code, &messages)
	}
	end()
	_ = first.Wait()
	if code := exitCode(t, program(t, arguments...)); code != exit.Holds {
		t.Errorf("with the first gone, the exit code is %d", code)
	}
}

// TestFilesOfAKilledCross: what a comparison left in the folder for temporary files when it was killed
// is removed by the next one, and nothing of one that lives.
func TestFilesOfAKilledCross(t *testing.T) {
	folder := t.TempDir()
	cross := func(translator string) *exec.Cmd {
		command := program(t, "cross", "-f", "G a", "--quiet", "--", translator)
		command.Env = append(command.Env, "TMPDIR="+folder)
		return command
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	left := func() []string {
		list, _ := filepath.Glob(filepath.Join(folder, "pnmc-cross-*", "files", "formula.f"))
		return list
	}
	begin := func() *exec.Cmd {
		command, there := cross("sh -c 'sleep 20' %F"), len(left())
		if err := command.Start(); err != nil {
			t.Fatal(err)
		}
		for len(left()) == there {
			time.Sleep(time.Millisecond)
		}
		return command
	}
	living := begin()
	killed := begin()
	if err := killed.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = killed.Wait()
	if n := len(left()); n != 2 {
		t.Fatalf("%d folders before the next comparison", n)
	}
	if code := exitCode(t, cross(self+" translate --ltl-file %F")); code != exit.Holds {
		t.Errorf("exit code %d", code)
	}
	if n := len(left()); n != 1 {
		t.Errorf("%d folders are left, expected that of the comparison that goes on", n)
	}
	if err := living.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	_ = living.Wait()
	if list, err := os.ReadDir(folder); err != nil || len(list) != 0 {
		t.Errorf("%v is left, %v", list, err)
	}
}

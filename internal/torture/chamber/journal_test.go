package chamber

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"pnmc/internal/torture/draw"
	"pnmc/internal/torture/twin"
)

// TestJournalsOfBatches: an answer that is there twice is a finding, unless a file could not be read the first time and the
// examination began anew.
func TestJournalsOfBatches(t *testing.T) {
	const (
		start  = `{"kind":"start","examination":"OneSafe"}`
		answer = `{"kind":"answer","examination":"OneSafe","question":"OneSafe","value":"TRUE"}`
		end    = `{"kind":"end","examination":"OneSafe"}`
		unread = `{"kind":"end","examination":"OneSafe","fault":"unread"}`
	)
	for _, x := range []struct {
		lines []string
		found bool
	}{
		{[]string{start, answer, end}, false},
		{[]string{start, answer, answer, end}, true},
		{[]string{start, answer, end, start, answer, end}, true},
		{[]string{start, answer, start, answer, end}, false},
		{[]string{start, answer, start, answer, answer, end}, true},
		{[]string{start, answer, unread, start, start, answer, end}, false},
		{[]string{start, answer, unread, start, answer, unread}, false},
		{[]string{start, answer, unread, start, answer, answer, unread}, true},
		{[]string{start, answer, answer, unread, start, answer, unread}, true},
		{[]string{start, answer, unread, answer, start, answer, unread}, true},
	} {
		o := &Outcome{Code: 4, Folder: t.TempDir()}
		if err := os.Mkdir(filepath.Join(o.Folder, "results"), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(o.Folder, "results", "journal.jsonl"), []byte(strings.Join(x.lines, "\n")+"\n"), 0o644); err != nil {
			t.Fatal(err)
		}
		d := &drawing{Case: &Case{}}
		if list := d.wrongJournal(o, &draw.Net{}, []string{"OneSafe"}, nil, true); (len(list) > 0) != x.found {
			t.Errorf("%q: %v", x.lines, list)
		}
	}
}

// TestAnswersThatABatchLoses: an answer that is not in the journal is a finding, where the net is small and limits are not.
func TestAnswersThatABatchLoses(t *testing.T) {
	net := &draw.Net{Kind: "net-small", Twin: &twin.Net{Initial: []int64{1}, Inputs: [][]twin.Arc{nil}, Outputs: [][]twin.Arc{nil}}}
	for _, x := range []struct {
		time  time.Duration
		lines string
		found bool
	}{
		{time.Second, `{"kind":"answer","examination":"OneSafe","question":"OneSafe","value":"TRUE"}`, false},
		{time.Second, ``, true},
		{time.Millisecond, ``, false},
	} {
		o := &Outcome{Folder: t.TempDir()}
		if err := os.Mkdir(filepath.Join(o.Folder, "results"), 0o755); err != nil {
			t.Fatal(err)
		}
		journal := x.lines + "\n" + `{"kind":"end","examination":"OneSafe"}` + "\n"
		if err := os.WriteFile(filepath.Join(o.Folder, "results", "journal.jsonl"), []byte(journal), 0o644); err != nil {
			t.Fatal(err)
		}
		d := &drawing{Case: &Case{Time: x.time, Memory: easyMemory}}
		list := d.wrongJournal(o, net, []string{"OneSafe"}, nil, true)
		if found := strings.Contains(strings.Join(list, "\n"), "lost answers: OneSafe"); found != x.found {
			t.Errorf("within %v, %q: %v", x.time, x.lines, list)
		}
	}
}

package history

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
)

var testSettings = Settings{Seconds: 20, MemoryBytes: 2 << 30}

func TestJournalDropsWhatWasCutOff(t *testing.T) {
	path := filepath.Join(t.TempDir(), "journal")
	j, err := Open(path, testSettings)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range []entry{
		{Kind: startEntry, Instance: "A", Examination: "OneSafe", Questions: []string{"OneSafe"}},
		{Kind: answerEntry, Instance: "A", Examination: "OneSafe", Question: "OneSafe", Value: "TRUE"},
		{Kind: startEntry, Instance: "A", Examination: "OneSafe", Questions: []string{"OneSafe"}},
		{Kind: answerEntry, Instance: "A", Examination: "OneSafe", Question: "OneSafe", Value: "FALSE"},
	} {
		if err := j.add(e); err != nil {
			t.Fatal(err)
		}
	}
	if err := j.Close(); err != nil {
		t.Fatal(err)
	}
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	lines := bytes.SplitAfter(whole, []byte("\n"))
	for cut := range len(whole) + 1 {
		if err := os.WriteFile(path, whole[:cut], 0o600); err != nil {
			t.Fatal(err)
		}
		j, err := Open(path, testSettings)
		if err != nil {
			t.Fatalf("cut after %d bytes: %v", cut, err)
		}
		kept := whole[:max(len(lines[0]), 1+bytes.LastIndexByte(whole[:cut], '\n'))] // settings that were cut are written anew
		if text, err := os.ReadFile(path); err != nil || !bytes.Equal(text, kept) {
			t.Fatalf("cut after %d bytes: the open journal is %q, %v", cut, text, err)
		}
		answers, contradictions := 0, 0
		for _, r := range j.Runs() {
			answers += len(r.Answers)
			contradictions += len(r.Contradictions)
		}
		have := max(1, bytes.Count(whole[:cut], []byte("\n")))
		if wantAnswer, wantContradiction := have >= 3, have >= 5; (answers == 1) != wantAnswer || (contradictions == 1) != wantContradiction {
			t.Fatalf("cut after %d lines: %d answers, %d contradictions", have, answers, contradictions)
		}
		if err := j.add(entry{Kind: startEntry, Instance: "B"}); err != nil {
			t.Fatal(err)
		}
		if err := j.Close(); err != nil {
			t.Fatal(err)
		}
		text, err := os.ReadFile(path)
		if err != nil || !bytes.HasPrefix(text, bytes.Join(lines[:have], nil)) || bytes.Count(text, []byte("\n")) != have+1 {
			t.Fatalf("cut after %d bytes, the journal went on as %q, %v", cut, text, err)
		}
	}
}

// TestJournalAfterAPowerCut: a file of which only zeros got to the disk, or the beginning of the settings and zeros,
// is begun anew.
func TestJournalAfterAPowerCut(t *testing.T) {
	for _, text := range []string{"\x00", strings.Repeat("\x00", 5000), `{"kind":"set` + "\x00\x00", `{"kind":"settings","set` + "\x00"} {
		path := filepath.Join(t.TempDir(), "journal")
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		j, err := Open(path, testSettings)
		if err != nil {
			t.Errorf("%.20q: %v", text, err)
			continue
		}
		if err := j.Close(); err != nil {
			t.Error(err)
		}
		if text, err := os.ReadFile(path); err != nil || !bytes.HasPrefix(text, settingsLine) || bytes.Count(text, []byte("\n")) != 1 {
			t.Errorf("%.20q, %v", text, err)
		}
	}
}

func TestJournalErrors(t *testing.T) {
	head := `{"kind":"settings","settings":{"seconds":20,"memory_bytes":2147483648}}` + "\n"
	for _, test := range []struct{ text, message string }{
		{head + "nonsense\n{}\n", "journal:2: "},
		{`{"kind":"settings","settings":{"seconds":21,"memory_bytes":2147483648}}` + "\n", "other limits"},
		{`{"kind":"start","instance":"A"}` + "\n", "journal:1: expected the settings"},
		{`{"kind":"start","instance":"A"}`, "journal:1: expected the settings"},
		{`{"name":"of somebody","notes":[1,2`, "journal:1: expected the settings"},
		{`{"kind":"settingsX"`, "journal:1: expected the settings"},
		{`{"name":"of somebody","notes":[1,2` + "\n", "journal:1: expected the settings"},
		{"notes", "journal:1: expected the settings"},
		{head + strings.Repeat(" ", mostLine+1), "journal:2: expected lines of at most 64 MB"},
		{head + head, "journal:2: expected the settings"},
		{head + `{"kind":"answer","instance":"A"}` + "\n", "journal:2: answer of a run that did not start"},
		{head + `{"kind":"start","instance":"A"}` + "\n" + `{"kind":"song","instance":"A"}` + "\n", `journal:3: unknown kind of entry "song"`},
	} {
		path := filepath.Join(t.TempDir(), "journal")
		if err := os.WriteFile(path, []byte(test.text), 0o600); err != nil {
			t.Fatal(err)
		}
		j, err := Open(path, testSettings)
		if err == nil {
			j.Close()
		}
		if err == nil || !strings.Contains(err.Error(), test.message) {
			t.Errorf("%s: error %v, expected %q", test.text, err, test.message)
		}
		if text, _ := os.ReadFile(path); string(text) != test.text {
			t.Errorf("a journal that can't be read was changed to %q", text)
		}
	}
}

// TestJournalIsOfOneProcess: who has a journal open has it alone.
func TestJournalIsOfOneProcess(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("no locks of this kind here")
	}
	path := filepath.Join(t.TempDir(), "journal")
	first, err := Open(path, testSettings)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Open(path, testSettings); !errors.Is(err, errBusy) || !strings.Contains(err.Error(), path) {
		t.Errorf("a second one: %v", err)
	}
	if err := first.add(entry{Kind: startEntry, Instance: "A"}); err != nil {
		t.Error(err)
	}
	if err := first.Close(); err != nil {
		t.Fatal(err)
	}
	again, err := Open(path, testSettings)
	if err != nil || len(again.Runs()) != 1 {
		t.Fatalf("after its end: %v", err)
	}
	if err := again.Close(); err != nil {
		t.Error(err)
	}
}

// TestJournalAfterAFailedWrite: nothing follows an entry that could not be written.
func TestJournalAfterAFailedWrite(t *testing.T) {
	path := filepath.Join(t.TempDir(), "journal")
	j, err := Open(path, testSettings)
	if err != nil {
		t.Fatal(err)
	}
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	writable := j.file
	if j.file, err = os.Open(path); err != nil { // for reading only
		t.Fatal(err)
	}
	if err := j.add(entry{Kind: startEntry, Instance: "A"}); err == nil {
		t.Error("an entry was written to a file that is open for reading")
	}
	j.file.Close()
	j.file = writable
	if err := j.add(entry{Kind: startEntry, Instance: "B"}); err == nil {
		t.Error("an entry follows one that is lost")
	}
	if text, err := os.ReadFile(path); err != nil || !slices.Equal(text, whole) {
		t.Errorf("the journal is %q, %v", text, err)
	}
	if err := j.Close(); err != nil {
		t.Error(err)
	}
}

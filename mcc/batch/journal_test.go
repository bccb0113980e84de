package batch

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestJournalDropsWhatWasCutOff(t *testing.T) {
	path := filepath.Join(t.TempDir(), "journal")
	j, err := OpenJournal(path, testSettings)
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
	for cut := len(lines[0]); cut <= len(whole); cut++ {
		if err := os.WriteFile(path, whole[:cut], 0o600); err != nil {
			t.Fatal(err)
		}
		j, err := OpenJournal(path, testSettings)
		if err != nil {
			t.Fatalf("cut after %d bytes: %v", cut, err)
		}
		answers, contradictions := 0, 0
		for _, r := range j.Runs() {
			answers += len(r.Answers)
			contradictions += len(r.Contradictions)
		}
		have := bytes.Count(whole[:cut], []byte("\n"))
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

func TestJournalErrors(t *testing.T) {
	head := `{"kind":"settings","settings":{"seconds":20,"memory_bytes":2147483648}}` + "\n"
	for _, test := range []struct{ text, message string }{
		{head + "nonsense\n{}\n", "journal:2: "},
		{`{"kind":"settings","settings":{"seconds":21,"memory_bytes":2147483648}}` + "\n", "other limits"},
		{`{"kind":"start","instance":"A"}` + "\n", "journal:1: expected the settings"},
		{head + head, "journal:2: expected the settings"},
		{head + `{"kind":"answer","instance":"A"}` + "\n", "journal:2: answer of a run that did not start"},
		{head + `{"kind":"start","instance":"A"}` + "\n" + `{"kind":"song","instance":"A"}` + "\n", `journal:3: unknown kind of entry "song"`},
	} {
		path := filepath.Join(t.TempDir(), "journal")
		if err := os.WriteFile(path, []byte(test.text), 0o600); err != nil {
			t.Fatal(err)
		}
		j, err := OpenJournal(path, testSettings)
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

package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"pnmc/cmd/pnmc/internal/exit"
	"pnmc/internal/cluster/slurmtest"
	"pnmc/mcc"
)

// A whole contest: so many models, all examinations of each.
const contestModels = 1678

// contestOfStubs makes folders for the models of a contest, and returns their names.
func contestOfStubs(t *testing.T, folder string) (names []string) {
	t.Helper()
	old := time.Now().Add(-time.Hour)
	for i := range contestModels {
		name := fmt.Sprintf("Family%d-PT-%04d", i/12, i)
		model := filepath.Join(folder, name, "model.pnml")
		if err := os.Mkdir(filepath.Dir(model), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(model, []byte("<pnml/>"), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(model, old, old); err != nil {
			t.Fatal(err)
		}
		names = append(names, name)
	}
	return names
}

// simulatedJournals writes journals as tasks do, of all jobs but every so many, which began and
// did not end. The run of a job takes some seconds, and answers 16 questions or 4 or one.
func simulatedJournals(t *testing.T, out string, names []string, journals, size int) {
	t.Helper()
	files := make([]bytes.Buffer, journals)
	for i := range files {
		fmt.Fprintln(&files[i], `{"kind":"settings","settings":{"seconds":3600,"memory_bytes":17179869184}}`)
	}
	job, pad := 0, ""
	for round := 0; round < 2; round++ { // the first round tells how long lines must be
		if round == 1 {
			total := 0
			for i := range files {
				total += files[i].Len()
			}
			lines := 0
			for i := range files {
				lines += bytes.Count(files[i].Bytes(), []byte("\n"))
				files[i].Truncate(0)
				fmt.Fprintln(&files[i], `{"kind":"settings","settings":{"seconds":3600,"memory_bytes":17179869184}}`)
			}
			pad = strings.Repeat(" EXPLICIT", max(0, (size-total)/lines/len(" EXPLICIT")))
		}
		job = 0
		for _, name := range names {
			for _, examination := range mcc.Examinations() {
				file := &files[job%journals]
				job++
				questions := []string{examination}
				switch {
				case examination == "StateSpace":
					questions = mcc.Measures()
				case mcc.HasPropertyFile(examination):
					questions = nil
					for q := range 16 {
						questions = append(questions, fmt.Sprintf("%s-%s-2024-%02d", name, examination, q))
					}
				}
				at := map[string]any{"instance": name, "examination": examination, "host": fmt.Sprintf("node%d", job%100), "processor": "Intel(R) Xeon(R) Processor"}
				line := func(kind string, more map[string]any) {
					for k, v := range at {
						more[k] = v
					}
					text, err := json.Marshal(more)
					if err != nil {
						t.Fatal(err)
					}
					fmt.Fprintf(file, "{\"kind\":%q,%s\n", kind, text[1:])
				}
				line("start", map[string]any{"questions": questions, "begun": 1_700_000_000 + job})
				if job%1000 == 0 {
					continue
				}
				for i, q := range questions {
					line("answer", map[string]any{"question": q, "value": "TRUE", "techniques": "DECISION_DIAGRAMS" + pad, "seconds": float64(i) + 0.123456789})
				}
				line("end", map[string]any{"seconds": float64(job%3000) + 0.25, "peak_bytes": 123456789})
			}
		}
	}
	for i := range files {
		if err := os.WriteFile(filepath.Join(out, fmt.Sprintf("journal-0001-%04d.jsonl", i)), files[i].Bytes(), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

// measuredPnmc runs pnmc in a process of its own, and tells what it printed and the most memory
// that it had.
func measuredPnmc(t *testing.T, arguments ...string) (code int, text string, peak int64) {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	command := exec.Command(self, arguments...)
	command.Env = append(os.Environ(), asTranslator+"=measured")
	var out, complaints bytes.Buffer
	command.Stdout, command.Stderr = &out, &complaints
	begun := time.Now()
	_ = command.Run() // the exit code tells
	lines := strings.Split(strings.TrimSpace(complaints.String()), "\n")
	peak, err = strconv.ParseInt(lines[len(lines)-1], 10, 64)
	if err != nil {
		t.Fatalf("%q: %s", arguments, complaints.String())
	}
	t.Logf("%s: %.2f s, %d MB", strings.Join(arguments[:2], " "), time.Since(begun).Seconds(), peak>>20)
	return command.ProcessState.ExitCode(), out.String() + complaints.String(), peak
}

// contestOnACluster: 21,814 runs are planned and submitted within what a Slurm takes in,
// and status and report come of 200 journals of 50 MB, the report within 500 MB.
func contestOnACluster(t *testing.T, _ *slurmtest.Slurm) {
	models, out := t.TempDir(), filepath.Join(t.TempDir(), "results")
	names := contestOfStubs(t, models)
	t.Setenv(asTool, t.TempDir())
	arguments := []string{"batch", models, "--time", "3600", "--memory", "16GB", "--out", out}
	if code, text, _ := measuredPnmc(t, append(arguments, "--plan")...); code != exit.Holds || !strings.Contains(text, "jobs: 21,814 of 1,678 instances and 13 examinations") {
		t.Errorf("exit code %d\n%s", code, text)
	}
	// Memory that the two nodes do not have would be refused at once.
	small := []string{"batch", models, "--time", "3600", "--memory", "1GB", "--cores", "1", "--out", out + "-small", "--slurm", "--task-time", "1", "--slurm-flag", "--hold"}
	code, text, _ := measuredPnmc(t, small...)
	if code != exit.Holds || strings.Count(text, "submitted job ") < 2 {
		t.Errorf("exit code %d\n%s", code, text)
	}
	for line := range strings.Lines(text) {
		var job, runs, tasks int
		if _, err := fmt.Sscanf(strings.ReplaceAll(line, ",", ""), "submitted job %d: %d runs in %d tasks", &job, &runs, &tasks); err == nil && tasks > 1001 {
			t.Errorf("%d tasks in an array: %s", tasks, line)
		}
	}
	if code, text, _ := measuredPnmc(t, small...); code != exit.Holds || strings.Contains(text, "submitted job") {
		t.Errorf("again: exit code %d\n%s", code, text)
	}
	if code, text, _ := measuredPnmc(t, "batch", "--cancel", out+"-small"); code != exit.Holds || strings.Count(text, "canceled job ") < 2 {
		t.Errorf("exit code %d\n%s", code, text)
	}
	if code, text, _ := measuredPnmc(t, append(arguments, "--emit-jobs", out+".txt")...); code != exit.Holds {
		t.Errorf("exit code %d\n%s", code, text)
	}
	simulatedJournals(t, out, names, 200, 50<<20)
	code, text, _ = measuredPnmc(t, "batch", "--status", out)
	if code != exit.Unknown || !strings.Contains(text, "runs: 21,793 of 21,814 over, 0 in hand, 21 missing") {
		t.Errorf("exit code %d\n%s", code, text)
	}
	code, text, peak := measuredPnmc(t, "batch", "--report", out)
	if code != exit.Unknown || !strings.Contains(text, "all ") || peak > 500<<20 {
		t.Errorf("exit code %d, %d MB\n%s", code, peak>>20, text)
	}
}

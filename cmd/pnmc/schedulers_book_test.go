package main

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"pnmc/cmd/pnmc/internal/batches"
	"pnmc/cmd/pnmc/internal/exit"
)

// exampleOf returns the example in the page about clusters in which some text stands.
func exampleOf(t *testing.T, part string) string {
	t.Helper()
	page, err := os.ReadFile("../../docs/cluster.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, block := range regexp.MustCompile("(?s)```[a-z]+\n(.*?)```").FindAllStringSubmatch(string(page), -1) {
		if strings.Contains(block[1], part) {
			return block[1]
		}
	}
	t.Fatalf("no example has %q", part)
	return ""
}

// TestKubernetesExample: all fields of the example are those of a Job of batch/v1, whose reader
// drops others, and none is lost.
func TestKubernetesExample(t *testing.T) {
	kubectl, err := exec.LookPath("kubectl")
	if err != nil {
		t.Skip("there is no kubectl: it knows the fields of batch/v1")
	}
	example := exampleOf(t, "kind: Job")
	command := exec.Command(kubectl, "set", "image", "--local", "-f", "-", "pnmc=another", "-o", "json")
	command.Stdin = strings.NewReader(example)
	command.Env = append(os.Environ(), "HOME="+t.TempDir())
	var complaints bytes.Buffer
	command.Stderr = &complaints
	text, err := command.Output()
	if err != nil && len(text) == 0 {
		t.Fatalf("%v: %s", err, complaints.String())
	}
	var job any
	if err := json.Unmarshal(text, &job); err != nil {
		t.Fatalf("%v: %s%s", err, text, complaints.String())
	}
	var known []string
	var collect func(any)
	collect = func(value any) {
		switch value := value.(type) {
		case map[string]any:
			for key, inner := range value {
				known = append(known, key)
				collect(inner)
			}
		case []any:
			for _, inner := range value {
				collect(inner)
			}
		}
	}
	collect(job)
	keys := regexp.MustCompile(`([A-Za-z]+):( |\n)`).FindAllStringSubmatch(example, -1)
	if len(keys) < 20 {
		t.Errorf("%d fields in\n%s", len(keys), example)
	}
	for _, key := range keys {
		if !slices.Contains(known, key[1]) {
			t.Errorf("%s is no field of such a job:\n%s", key[1], text)
		}
	}
}

// TestHTCondorExample: the arguments of the example, as HTCondor takes them apart, are those of
// a task, also where a path has a space.
func TestHTCondorExample(t *testing.T) {
	example := exampleOf(t, "queue task from")
	line := regexp.MustCompile(`(?m)^arguments *= "(.*)"$`).FindStringSubmatch(example)
	if line == nil {
		t.Fatal(example)
	}
	// Between double quotes, words are apart by spaces, and single quotes keep spaces.
	var words []string
	for _, word := range regexp.MustCompile(`'[^']*'|[^ ']+`).FindAllString(line[1], -1) {
		words = append(words, strings.Trim(word, "'"))
	}
	if want := []string{batches.TaskCommand, "/data/the results/tasks/0001.json", "$(task)"}; !slices.Equal(words, want) {
		t.Errorf("%q, want %q", words, want)
	}
}

// TestSnakemakeExample: the example runs all tasks of a list, also where paths have spaces, and
// braces, which Snakemake reads otherwise.
func TestSnakemakeExample(t *testing.T) {
	if testing.Short() {
		t.Skip("takes some seconds")
	}
	snakemake, err := exec.LookPath("snakemake")
	if err != nil {
		t.Skip("there is no snakemake")
	}
	folder := t.TempDir()
	b := newClusterBatch(t, 2)
	b.out = filepath.Join(folder, "the {results}")
	b.arguments[len(b.arguments)-1] = b.out
	b.arguments = slices.DeleteFunc(b.arguments, func(a string) bool { return a == "--slurm" })
	if code, _, stderr := b.call("--emit-jobs", filepath.Join(folder, "jobs.txt")); code != exit.Holds {
		t.Fatal(stderr)
	}
	if err := os.WriteFile(filepath.Join(folder, "Snakefile"), []byte(exampleOf(t, "rule all:")), 0o600); err != nil {
		t.Fatal(err)
	}
	command := exec.Command(snakemake, "--cores", "2")
	command.Dir = folder
	command.Env = append(os.Environ(), "HOME="+folder)
	if text, err := command.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, text)
	}
	if code, stdout, _ := callPnmc("pnmc", "batch", "--status", b.out); code != exit.Holds || !strings.Contains(stdout, "6 of 6 over") {
		t.Errorf("exit code %d\n%s", code, stdout)
	}
}

package cluster

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
)

// Wishes are what a user asks of Slurm; what is empty is Slurm's choice.
type Wishes struct {
	Partition, Account string
	// Cores of a task.
	Cores int
	// AtOnce is how many tasks may run at the same time; 0: any number.
	AtOnce int
	// Extra are further flags of sbatch.
	Extra []string
}

// Script returns the batch script of array i of the record: each task calls the program with
// arguments, the path of the record, and the number of the task.
func (r *Record) Script(i int, w Wishes, command []string) (string, error) {
	a := r.Arrays[i]
	seconds, memory := int64(0), int64(0)
	for _, t := range r.Tasks[a.First : a.First+a.Count] {
		seconds, memory = max(seconds, t.Seconds), max(memory, t.MemoryBytes)
	}
	array := fmt.Sprintf("0-%d", a.Count-1)
	if w.AtOnce > 0 {
		array += fmt.Sprintf("%%%d", w.AtOnce)
	}
	logs := strings.ReplaceAll(filepath.Join(r.folder, "logs"), "%", "%%")
	options := []string{
		"--job-name=" + r.Name, "--comment=" + r.Comment(i), "--array=" + array,
		"--nodes=1", "--ntasks=1", fmt.Sprintf("--cpus-per-task=%d", max(1, w.Cores)),
		fmt.Sprintf("--mem=%dM", memory>>20+1), fmt.Sprintf("--time=%d", (seconds+minute-1)/minute+1),
		"--output=" + filepath.Join(logs, fileOf(r.Number, "-%A_%a.txt")), "--open-mode=append",
		"--requeue", // a task that its node failed goes on elsewhere
	}
	if w.Partition != "" {
		options = append(options, "--partition="+w.Partition)
	}
	if w.Account != "" {
		options = append(options, "--account="+w.Account)
	}
	var text strings.Builder
	text.WriteString("#!/bin/sh\n")
	if err := w.Check(); err != nil {
		return "", err
	}
	for _, o := range append(options, w.Extra...) {
		if strings.ContainsAny(o, "\"\\\n\r\x00") {
			return "", fmt.Errorf("%q: expected a flag for sbatch in one line, without quotes and backslashes", o)
		}
		fmt.Fprintf(&text, "#SBATCH %s\n", sbatchQuoted(o))
	}
	fmt.Fprintf(&text, "exec %s %s $((%d + SLURM_ARRAY_TASK_ID))\n", ShellQuoted(command...), ShellQuoted(r.Path()), a.First)
	return text.String(), nil
}

// own are the flags of sbatch by which tasks are found again, and their place in an array.
var own = []string{"--job-name", "--comment", "--array", "--clusters", "--wrap", "--parsable"}

// The letters of sbatch: those for flags of own, and those behind which others may follow in the
// same word, as they have no value.
const (
	ownLetters  = "JaM"
	bareLetters = "hHIkKOQsuvVWX"
)

// Check refuses extra flags that would take from a submission what it is known by: it would be
// made twice.
func (w Wishes) Check() error {
	for _, f := range w.Extra {
		name, _, _ := strings.Cut(strings.ReplaceAll(strings.TrimSpace(f), " ", "="), "=")
		if isOwn(name) {
			return fmt.Errorf("%q: submissions are found again by their name, comment, array and cluster, which can't be chosen, but for the cluster by SLURM_CLUSTERS", f)
		}
	}
	return nil
}

// isOwn reports whether sbatch would take a word, which is a flag without its value, for one
// of own.
func isOwn(word string) bool {
	if strings.HasPrefix(word, "--") {
		// sbatch takes the beginning of a flag for it.
		return len(word) > len("--") && slices.ContainsFunc(own, func(o string) bool { return strings.HasPrefix(o, word) })
	}
	letters := strings.TrimLeft(strings.TrimPrefix(word, "-"), bareLetters)
	return letters != "" && strings.ContainsRune(ownLetters, rune(letters[0]))
}

// minute is one in seconds: Slurm counts limits in minutes.
const minute = 60

// plain are the characters that mean themselves to a shell, and to sbatch.
const plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_=+:,./%@"

// isPlain reports whether a word needs no quotes.
func isPlain(word string) bool { return word != "" && strings.Trim(word, plain) == "" }

// sbatchQuoted returns a flag as sbatch reads it in a script: it knows quotes, and nothing that
// would quote them.
func sbatchQuoted(flag string) string {
	if isPlain(flag) {
		return flag
	}
	return `"` + flag + `"`
}

// ShellQuoted returns words as a shell reads them, in quotes where it needs that.
func ShellQuoted(words ...string) string {
	var list []string
	for _, w := range words {
		if !isPlain(w) {
			w = "'" + strings.ReplaceAll(w, "'", `'\''`) + "'"
		}
		list = append(list, w)
	}
	return strings.Join(list, " ")
}

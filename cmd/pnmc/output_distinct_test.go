package main

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pnmc/cmd/pnmc/internal/exit"
)

// TestFilesDiffer: one file can't take what two flags write, nor what is read; devices can.
func TestFilesDiffer(t *testing.T) {
	folder := t.TempDir()
	net := filepath.Join(folder, "net.pnml")
	text := read(t, "../../testdata/philosophers.pnml")
	write(t, net, text)
	if err := os.Symlink(net, filepath.Join(folder, "link.pnml")); err != nil {
		t.Fatal(err)
	}
	t.Chdir(folder)
	for command, told := range map[string]string{
		"bench --pnml net.pnml --formulas absent.hoa -o m.csv --report ./m.csv":      "--output and --report name the same file, ./m.csv",
		"cross --formulas absent --csv a --json a translator%f":                      "--csv and --json name the same file, a",
		"--pnml net.pnml --deadlock --trace net.pnml":                                "--trace and --pnml name the same file, net.pnml",
		"--pnml net.pnml --deadlock --trace link.pnml":                               "--trace and --pnml name the same file, net.pnml",
		"cross --formulas f --csv " + filepath.Join(folder, "f") + " translator%f":   "--csv and --formulas name the same file, f",
		"reduce --pnml net.pnml --for deadlock -o a --map ./a":                       "--output and --map name the same file, ./a",
		"reduce --pnml net.pnml --for deadlock --map link.pnml":                      "--map and --pnml name the same file, net.pnml",
		"bench --pnml net.pnml --formulas absent.hoa -o m.csv --emit-jobs m.csv":     "--output and --emit-jobs name the same file, m.csv",
		"cross --formulas absent --csv /dev/null --json /dev/null pnmc_absent%f%f%f": "",
	} {
		var stdout, stderr bytes.Buffer
		code := run(context.Background(), strings.Fields("pnmc "+command), nil, &stdout, &stderr)
		if told == "" {
			if strings.Contains(stderr.String(), "the same file") {
				t.Errorf("%s: %s", command, &stderr)
			}
			continue
		}
		if code != exit.Usage || !strings.Contains(stderr.String(), told) {
			t.Errorf("%s: exit code %d: %s", command, code, &stderr)
		}
	}
	if got := read(t, net); got != text {
		t.Error("the net was changed")
	}
}

// TestTraceOfNothingIsNotWritten: where nothing could be decided, a file of runs that is there
// stays as it is.
func TestTraceOfNothingIsNotWritten(t *testing.T) {
	kept := filepath.Join(t.TempDir(), "kept.json")
	for _, arguments := range [][]string{
		{"--pnml", "absent.pnml", "--deadlock"},
		{"--pnml", "../../testdata/mailbox.pnml", "--ltl", "G(("},
		{"--pnml", "../../testdata/mailbox.pnml", "--ltl", "G((", "--approach", "tgba"},
	} {
		write(t, kept, "kept")
		var stdout, stderr bytes.Buffer
		code := run(context.Background(), append([]string{"pnmc", "--trace", kept}, arguments...), nil, &stdout, &stderr)
		if got := read(t, kept); code != exit.Input || got != "kept" {
			t.Errorf("%v: exit code %d, the file has %q: %s", arguments, code, got, &stderr)
		}
	}
}

// TestErrorsAreToldOnce: what is wrong with each of many formulas is told of the first.
func TestErrorsAreToldOnce(t *testing.T) {
	var stdout, stderr bytes.Buffer
	arguments := []string{"pnmc", "--pnml", "../../testdata/mailbox.pnml", "--approach", "ta"}
	for range 20 {
		arguments = append(arguments, "--ltl", `X "p1 >= 1"`)
	}
	run(context.Background(), arguments, nil, &stdout, &stderr)
	if told := stderr.String(); strings.Count(told, "stutter") != 2 || !strings.Contains(told, "19 times more") {
		t.Errorf("%.400s", told)
	}
}

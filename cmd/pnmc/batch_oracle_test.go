package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pnmc/cmd/pnmc/internal/exit"
)

// TestBatchOracleOfEarlierRuns: right answers are kept for what the folder of results has of an earlier batch,
// too, whether the batch runs or only the report is written.
func TestBatchOracleOfEarlierRuns(t *testing.T) {
	model, out, table := contestFolder(t), filepath.Join(t.TempDir(), "out"), filepath.Join(t.TempDir(), "right.csv")
	name := filepath.Base(model)
	write(t, table, name+",OneSafe,F\n"+name+",ReachabilityDeadlock,F\n"+name+",Liveness,F\nother,OneSafe,F\n")
	batch := func(arguments ...string) (int, string) {
		code, stdout, stderr := callPnmc(append([]string{"pnmc", "batch"}, arguments...)...)
		return code, stdout + stderr
	}
	limits := []string{"--time", "30", "--memory", "1GB", "--out", out, model, "--examinations"}
	if code, told := batch(append(limits, "OneSafe")...); code != exit.Holds {
		t.Fatalf("exit code %d: %s", code, told)
	}
	const wrong = " OneSafe OneSafe: expected FALSE, answered TRUE\n"
	code, told := batch(append([]string{"--oracle", table}, append(limits, "ReachabilityDeadlock")...)...)
	if code != exit.Violated || !strings.Contains(told, "wrong: "+name+wrong) {
		t.Errorf("another examination later: exit code %d: %s", code, told)
	}
	if code, told = batch("--report", "--oracle", table, out); code != exit.Violated || !strings.Contains(told, "wrong: "+name+wrong) {
		t.Errorf("a report: exit code %d: %s", code, told)
	}
}

// TestBatchOracleWithinTheTotalTime: the time of the command is over while right answers are read, which is told, and
// nothing is written.
func TestBatchOracleWithinTheTotalTime(t *testing.T) {
	out, table := filepath.Join(t.TempDir(), "out"), filepath.Join(t.TempDir(), "right.csv")
	write(t, table, "a,OneSafe,T\n")
	code, _, stderr := callPnmc("pnmc", "batch", contestFolder(t), "--examinations", "OneSafe", "--time", "30", "--memory", "1GB", "--out", out, "--oracle", table, "--total-timeout", "1ns")
	if code != exit.Unknown || !strings.Contains(stderr, table+": total time limit of 1ns reached while right answers were read") {
		t.Errorf("exit code %d: %s", code, stderr)
	}
	if _, err := os.Stat(out); err == nil {
		t.Error("there is a folder of results")
	}
}

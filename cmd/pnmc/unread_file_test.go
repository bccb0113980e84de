package main

import (
	"bytes"
	"context"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"pnmc/cmd/pnmc/internal/exit"
)

// TestQuestionsBehindAnUnreadFile: a file that can't be read is told, and what other flags ask is
// answered nevertheless, whatever decides it, in the order in which it is asked.
func TestQuestionsBehindAnUnreadFile(t *testing.T) {
	folder := t.TempDir()
	for _, arguments := range []string{
		"--deadlock --hoa ABSENT-1 --safe --ltl-file ABSENT-2 --ltl G!deadlock",
		"--timeout 60s --deadlock --queries ABSENT-1 --safe --ctl-file ABSENT-2 --ltl G!deadlock",
		"--approach tgba --ltl G!eats0 --ltl-file ABSENT-1 --ltl 1 --tgta ABSENT-2 --ltl G!deadlock",
	} {
		var stdout, stderr bytes.Buffer
		line := "pnmc --pnml ../../testdata/philosophers.pnml " + strings.ReplaceAll(arguments, "ABSENT", filepath.Join(folder, "absent"))
		code := run(context.Background(), strings.Fields(line), nil, &stdout, &stderr)
		answered := regexp.MustCompile(`^FORMULA (deadlock|G!eats0) .*\nFORMULA (safe|1) TRUE .*\nFORMULA G!deadlock FALSE .*\n$`).MatchString(stdout.String())
		told := regexp.MustCompile(`^pnmc: .*absent-1: no such file .*\npnmc: .*absent-2: no such file .*\n$`).MatchString(stderr.String())
		if code != exit.Input || !answered || !told {
			t.Errorf("%s: exit code %d\n%s%s", arguments, code, &stdout, &stderr)
		}
	}
}

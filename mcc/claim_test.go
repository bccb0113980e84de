package mcc

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"pnmc/checker/inquiry"
)

// falselyClaimed returns a folder with a net whose units claim what is false.
func falselyClaimed(t *testing.T) string {
	t.Helper()
	model, err := os.ReadFile("../cmd/pnmc/testdata/fed.pnml")
	if err != nil {
		t.Fatal(err)
	}
	folder := t.TempDir()
	if err := os.WriteFile(filepath.Join(folder, "model.pnml"), model, 0o666); err != nil {
		t.Fatal(err)
	}
	return folder
}

// A false claim of the net's units is told once, and the answers are the true ones.
func TestFalseClaim(t *testing.T) {
	folder := falselyClaimed(t)
	var warnings []string
	var out bytes.Buffer
	options := Options{Time: engineTime, Warn: func(warning string) { warnings = append(warnings, warning) }}
	if err := Run(context.Background(), folder, "StateSpace", options, &out); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"STATES 11 ", "TRANSITIONS 10 ", "MAX_TOKEN_PER_MARKING 11 ", "MAX_TOKEN_IN_PLACE 9 "} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("no %q in\n%s", want, out.String())
		}
	}
	if len(warnings) != 1 || !slices.ContainsFunc(warnings, func(w string) bool { return strings.Contains(w, `unit "`) }) {
		t.Errorf("warnings %q, expected one that names a unit", warnings)
	}
}

// Where engines end before the time does, it is told once how many questions have no answer, and why; where time is over it
// is not.
func TestUnansweredIsTold(t *testing.T) {
	folder := falselyClaimed(t)
	for _, x := range []struct {
		context func() (context.Context, context.CancelFunc)
		told    bool
	}{
		{func() (context.Context, context.CancelFunc) { return context.WithCancel(context.Background()) }, true},
		{func() (context.Context, context.CancelFunc) {
			return context.WithDeadline(context.Background(), time.Now().Add(-time.Second))
		}, false},
	} {
		told := 0
		options := Options{Time: engineTime, Without: ^inquiry.Techniques(0), Warn: func(warning string) {
			if strings.Contains(warning, "4 of 4 questions have no answer: no engine decides it") {
				told++
			}
		}}
		ctx, cancel := x.context()
		var out bytes.Buffer
		if err := Run(ctx, folder, "StateSpace", options, &out); err != nil && x.told {
			t.Fatal(err)
		}
		cancel()
		if (told == 1) != x.told || told > 1 || out.Len() > 0 {
			t.Errorf("told %d times, expected to be: %t; answers %q", told, x.told, &out)
		}
	}
}

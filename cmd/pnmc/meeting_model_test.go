package main

import (
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"pnmc/cmd/pnmc/internal/exit"
)

// meetingFaults are the transitions of testdata/meeting.pnml that can't fire if meetings are right.
var meetingFaults = []string{"interns_while_cleared", "interns_while_filed", "files_while_cleared", "ends_with_work", "ends_at_work"}

// TestMeetingModel: in no run of the model of package petri/multicore does a thread work on a table that
// others clear or fill, nor is it over while something is left; and from everywhere all threads
// can leave. What is told of the model is not true of models with a fault, of which each is found.
func TestMeetingModel(t *testing.T) {
	text, err := os.ReadFile("../../testdata/meeting.pnml")
	if err != nil {
		t.Fatal(err)
	}
	model := string(text)
	faultless := []string{"--invariant", `!fireable("` + strings.Join(meetingFaults, `") && !fireable("`) + `")`}
	ends := []string{"--ctl", `AG EF "ended = 3"`}
	if askedOfText(t, model, slices.Concat(faultless, ends, []string{"--ctl", `AG (deadlock -> "ended = 3")`})...) != exit.Holds {
		t.Error("meetings are not right")
	}
	var happens []string
	for _, found := range regexp.MustCompile(`<transition id="([^"]+)"`).FindAllStringSubmatch(model, -1) {
		if !slices.Contains(meetingFaults, found[1]) {
			happens = append(happens, "--reachable", `fireable("`+found[1]+`")`)
		}
	}
	if askedOfText(t, model, happens...) != exit.Holds {
		t.Error("some transition never fires")
	}
	for _, fault := range []struct {
		name    string
		asked   []string
		changes [][2]string
	}{
		{"who asks for a meeting does not wake those who rest", ends, [][2]string{
			{modelArc("up", "asked", "3"), modelArc("up", "asked", "1")}, {modelArc("asked", "up", "3"), modelArc("asked", "up", "1")},
		}},
		{"the table is filled before all have cleared it", faultless, [][2]string{
			{modelArc("cleared", "arrives", "t", "=g2"), modelArc("cleared", "files", "t")},
		}},
		{"it is over if all others but one rest", faultless, [][2]string{
			{modelArc("resting", "end", "3"), modelArc("resting", "end", "2")}, {modelArc("end", "resting", "2"), modelArc("end", "resting", "1")},
		}},
	} {
		t.Run(fault.name, func(t *testing.T) {
			wrong := model
			for _, change := range fault.changes {
				wrong = replaced(t, wrong, change[0], change[1])
			}
			if askedOfText(t, wrong, fault.asked...) != exit.Violated {
				t.Error("the fault is not found")
			}
		})
	}
}

package progress

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"github.com/rivo/uniseg"
)

// A line of progress tells what is being checked, in words, and shrinks to the width of the
// terminal: first the name, then what matters least.
func TestProgressWithin(t *testing.T) {
	parts := progressParts("G (request -> F answer)", 3_046_477, 379_213, 1_840_000)
	for _, test := range []struct {
		columns int
		want    string
	}{
		{100, "G (request -> F answer): 3,046,477 firings, 379,213 markings, 1.8 million a second"},
		{80, "G (request ->…answer): 3,046,477 firings, 379,213 markings, 1.8 million a second"},
		{71, "G (requ…wer): 3,046,477 firings, 379,213 markings, 1.8 million a second"},
		{70, "G (request -> F answer): 3,046,477 firings, 379,213 markings"},
		{40, "G (request ->…answer): 3,046,477 firings"},
		{30, "3,046,477 firings"},
		{10, "3,046,477…"},
		{1, "…"},
		{0, ""},
	} {
		if got := parts.within(test.columns); got != test.want || uniseg.StringWidth(got) > test.columns {
			t.Errorf("in %d columns: %q, expected %q", test.columns, got, test.want)
		}
	}
	for columns := range 60 { // with letters of two columns
		if got := progressParts("哲学者が食事をする", 1, 1, 0).within(columns); uniseg.StringWidth(got) > columns {
			t.Errorf("in %d columns: %q", columns, got)
		}
	}
	if got := progressParts("p", 1, 1, 0.2).within(80); got != "p: 1 firing, 1 marking" {
		t.Error(got)
	}
	if got := jobParts(12, 4000, []string{"A-PT-1 UpperBounds", "B", "C"}, 200*time.Second).within(80); got != "A-PT-1 UpperBounds: 12 of 4,000 over, about 3 minutes left, 3 running" {
		t.Error(got)
	}
}

// While engines work, the first property that is not decided is shown, and nothing while
// answers are told.
func TestWatch(t *testing.T) {
	var out bytes.Buffer
	now := time.Unix(1000, 0)
	m := &Messenger{w: &out, line: progressLine{clock: func() time.Time { return now }, width: func() int { return 100 }}}
	w := m.Watch([]string{"p", "q", "r"})
	w.began = now.Add(-90 * time.Second)
	w.Tell(0, func() {
		if w.show(); out.Len() > 0 {
			t.Errorf("shown while an answer is told: %q", &out)
		}
	})
	w.Tell(2, func() {})
	w.show()
	if want := eraseLine + "q: 2 of 3 decided, 90 seconds"; !strings.HasPrefix(out.String(), want) {
		t.Errorf("%q, expected %q", &out, want)
	}
	out.Reset()
	if w.Tell(1, func() {}); out.String() != eraseLine {
		t.Errorf("%q is left", &out)
	}
	w.show()
	if w.End(); out.String() != eraseLine {
		t.Errorf("shown after the last answer: %q", &out)
	}
}

func TestRounded(t *testing.T) {
	for x, want := range map[float64]string{
		1: "1", 999.4: "999", 1234: "1,230", 52_340: "52,300", 523_456: "523,000", 999_499: "999,000",
		999_500: "1.0 million", 1_849_000: "1.8 million", 3.2e9: "3.2 billion",
	} {
		if got := rounded(x); got != want {
			t.Errorf("%v: %q, expected %q", x, got, want)
		}
	}
}

// What is over at once is not shown, nor a rate before there is one; what was there before
// does not count for the rate, and the line is erased in the end.
func TestProgressIsDrawnInTime(t *testing.T) {
	var out bytes.Buffer
	now := time.Unix(1000, 0)
	m := &Messenger{w: &out, Terminal: true, line: progressLine{clock: func() time.Time { return now }, width: func() int { return 100 }}}
	step := func(d time.Duration, firings int64) string {
		now = now.Add(d)
		out.Reset()
		m.Progress("p", firings, firings/2)
		return out.String()
	}
	for i, test := range []struct {
		after   time.Duration
		firings int64
		want    string
	}{
		{0, 1_000_000, ""},
		{200 * time.Millisecond, 1_000_100, ""},
		{300 * time.Millisecond, 1_001_000, eraseLine + "p: 1,001,000 firings, 500,500 markings, 2,000 a second"},
		{100 * time.Millisecond, 1_002_000, ""},
		{400 * time.Millisecond, 1_002_000, eraseLine + "p: 1,002,000 firings, 501,000 markings, 2,000 a second"},
	} {
		if got := step(test.after, test.firings); got != test.want {
			t.Errorf("step %d: %q, expected %q", i, got, test.want)
		}
	}
	out.Reset()
	if m.Say("done"); out.String() != eraseLine+"pnmc: done\n" {
		t.Errorf("%q", &out)
	}
	if got := step(time.Second, 5); got != "" {
		t.Errorf("the progress of something else begins with %q", got)
	}
	m.Quiet = true
	if got := step(time.Second, 50_000); got != "" || strings.Contains(got, "a second") {
		t.Errorf("quiet: %q", got)
	}
}

// What is shown of jobs that run side by side: which of them began first, how many are
// over of all, and how long the others will take, for which what was over before counts
// nothing.
func TestJobsAreShown(t *testing.T) {
	var out bytes.Buffer
	now := time.Unix(1000, 0)
	m := &Messenger{w: &out, line: progressLine{clock: func() time.Time { return now }, width: func() int { return 100 }}}
	j := m.Jobs(3, 10)
	j.began = now
	step := func(after time.Duration, want string) {
		t.Helper()
		now = now.Add(after)
		out.Reset()
		if j.show(); out.String() != want {
			t.Errorf("%q, expected %q", &out, want)
		}
	}
	j.Begin("Kanban UpperBounds")
	j.Begin("Peterson OneSafe")
	step(100*time.Millisecond, "")
	step(900*time.Millisecond, eraseLine+"Kanban UpperBounds: 3 of 10 over, 2 running")
	j.End("an earlier one")
	j.End("Kanban UpperBounds")
	step(9*time.Second, eraseLine+"Peterson OneSafe: 5 of 10 over, about 50 seconds left")
	j.End("Peterson OneSafe")
	step(0, eraseLine+"6 of 10 over, about 20 seconds left")
	if out.Reset(); out.String() != "" {
		t.Error(&out)
	}
	j.Close()
	if out.String() != eraseLine {
		t.Errorf("%q is left", &out)
	}
}

// Of several questions that are open the first is named, and how many more there are; of a
// name that is too long both ends are left; time is told from one second on.
func TestOpenQuestionsAreShown(t *testing.T) {
	name := "Kanban-PT-00005-ReachabilityFireability-07"
	for _, test := range []struct {
		parts   lineParts
		columns int
		want    string
	}{
		{watchParts(name, 3, 16, 12*time.Second, 300<<20), 120, name + " and 12 more: 3 of 16 decided, 12 seconds, 300 MB"},
		{watchParts(name, 15, 16, 999*time.Millisecond, 0), 120, name + ": 15 of 16 decided"},
		{watchParts(name, 15, 16, 0, 0), 50, "Kanban-PT-00005-Reach…ability-07: 15 of 16 decided"},
		{duringParts("G a", []string{"formula 2 of 5", "3 of 6 translations"}, 1900*time.Millisecond, 0), 120, "G a: formula 2 of 5, 3 of 6 translations, 1 second"},
		{duringParts("G a", []string{"formula 2 of 5", "comparing"}, 0, 0), 120, "G a: formula 2 of 5, comparing"},
	} {
		if got := test.parts.within(test.columns); got != test.want {
			t.Errorf("%q, expected %q", got, test.want)
		}
	}
}

// TestBar: a bar tells how many are over, on a terminal only.
func TestBar(t *testing.T) {
	var text strings.Builder
	m := OnTerminal(&text, 80, time.Now)
	for _, test := range []struct {
		over, of int
		want     string
	}{
		{0, 4, "[" + strings.Repeat("-", 40) + "] 0 %"},
		{1, 4, "[" + strings.Repeat("#", 10) + strings.Repeat("-", 30) + "] 25 %"},
		{4, 4, "[" + strings.Repeat("#", 40) + "] 100 %"},
		{0, 0, ""},
	} {
		if got := m.Bar(test.over, test.of); got != test.want {
			t.Errorf("%d of %d: %q", test.over, test.of, got)
		}
	}
	if got := To(&text).Bar(1, 2); got != "" {
		t.Errorf("without a terminal: %q", got)
	}
}

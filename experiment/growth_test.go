package experiment

import (
	"bytes"
	"context"
	"errors"
	"reflect"
	"strings"
	"testing"
	"time"
)

// sampleGrowth is a plan of two nets.
func sampleGrowth() *GrowthPlan {
	return &GrowthPlan{Nets: []GrowthNet{{"small", "f00d"}, {"large", "beef"}}, Threads: []int{1, 2}, Runs: 2, Limit: 2 * time.Second, MemoryBytes: 100}
}

// measureGrowth runs a plan: the small net has 100 states and takes 1 s and 0.5 s with two threads,
// the large one is not explored in time.
func measureGrowth(t *testing.T, p *GrowthPlan) (records []GrowthRecord) {
	t.Helper()
	err := p.Run(t.Context(), func(_ context.Context, net, threads int) (Explored, error) {
		if net == 1 {
			return Explored{States: 7, Reason: "time limit of 2s reached"}, nil
		}
		return Explored{States: 100, Transitions: 300, Seconds: 1 / float64(threads), PeakBytes: 1 << 20}, nil
	}, func(r GrowthRecord) error { records = append(records, r); return nil })
	if err != nil {
		t.Fatal(err)
	}
	return records
}

// Numbers of threads take turns, all records are read back, and nothing that is there is made again,
// unless more time may tell more.
func TestGrowth(t *testing.T) {
	p := sampleGrowth()
	var begun []string
	p.Begin = func(k Key) { begun = append(begun, k.Model+" "+k.Approach) }
	records := measureGrowth(t, p)
	if text := strings.Join(begun, ", "); text != "small 1 thread, small 2 threads, small 1 thread, small 2 threads, large 1 thread, large 2 threads, large 1 thread, large 2 threads" {
		t.Error(text)
	}
	var file bytes.Buffer
	if err := WriteRecords(&file, true, records...); err != nil {
		t.Fatal(err)
	}
	read, err := ReadRecords[GrowthRecord](t.Context(), &file, "growth.csv")
	if err != nil || !reflect.DeepEqual(read.Records, records) {
		t.Fatalf("%+v, %v, expected %+v", read.Records, err, records)
	}
	for _, test := range []struct {
		name   string
		change func(*GrowthPlan)
		done   int
		failed string
	}{
		{"same", func(*GrowthPlan) {}, 8, ""},
		{"more time", func(p *GrowthPlan) { p.Limit *= 2 }, 4, ""},
		{"more memory", func(p *GrowthPlan) { p.MemoryBytes *= 2 }, 8, ""},
		{"more runs", func(p *GrowthPlan) { p.Runs = 3 }, 8, ""},
		{"more threads", func(p *GrowthPlan) { p.Threads = []int{1, 2, 4} }, 8, ""},
		{"another net", func(p *GrowthPlan) { p.Nets[0].Fingerprint = "feed" }, 0, "another net"},
	} {
		p := sampleGrowth()
		test.change(p)
		got, err := p.Resume(read.Records, false)
		if (err != nil) != (test.failed != "") || err != nil && !strings.Contains(err.Error(), test.failed) || err == nil && len(got.Done) != test.done {
			t.Errorf("%s: %d are done, %v, expected %d", test.name, len(got.Done), err, test.done)
		}
		if p.Done = got.Done; err == nil && len(measureGrowth(t, p)) != len(p.Keys())-test.done {
			t.Errorf("%s: %d are made", test.name, len(measureGrowth(t, p)))
		}
	}
}

// An error of an exploration, or of who takes the records, ends the plan, and so does the context.
func TestGrowthEnds(t *testing.T) {
	wrong := errors.New("wrong")
	none := func(GrowthRecord) error { return nil }
	ctx, cancel := context.WithCancelCause(t.Context())
	for name, err := range map[string]error{
		"explore": sampleGrowth().Run(t.Context(), func(context.Context, int, int) (Explored, error) { return Explored{}, wrong }, none),
		"emit":    sampleGrowth().Run(t.Context(), func(context.Context, int, int) (Explored, error) { return Explored{}, nil }, func(GrowthRecord) error { return wrong }),
		"context": sampleGrowth().Run(ctx, func(context.Context, int, int) (Explored, error) { cancel(wrong); return Explored{}, nil }, func(GrowthRecord) error {
			t.Error("an exploration that was cut off is recorded")
			return nil
		}),
	} {
		if err != wrong {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// Rows with words instead of numbers are refused, with their line.
func TestGrowthRows(t *testing.T) {
	head := strings.Join(growthColumns.Get(), ",") + "\n"
	for _, row := range []string{"m,x,1,,1,1,1,1,,0,0,,,", "m,1,1,,1,1,x,1,,0,0,,,", "m,1,1,,1,1,1,1,,x,0,,,", "m,1,1"} {
		if _, err := ReadRecords[GrowthRecord](t.Context(), strings.NewReader(head+row+"\n"), "growth.csv"); err == nil || !strings.HasPrefix(err.Error(), "growth.csv:2:1: ") {
			t.Errorf("%s: %v", row, err)
		}
	}
}

// The table has a line for each net and number of threads, with medians; pictures have a line for
// each number of threads, or each net.
func TestGrowthTable(t *testing.T) {
	records := measureGrowth(t, sampleGrowth())
	records[0].Seconds = 3 // the lower one of two counts
	var text bytes.Buffer
	if err := WriteGrowthTable(&text, records); err != nil {
		t.Fatal(err)
	}
	var lines []string
	for line := range strings.Lines(text.String()) {
		lines = append(lines, strings.Join(strings.Fields(line), " "))
	}
	expected := []string{
		"model threads runs states transitions seconds times as fast transitions a second MB bytes a state",
		"small 1 2 100 300 1.000 - 300 1.0 10485.8",
		"small 2 2 100 300 0.500 2.00 600 1.0 10485.8",
		"large 1 0 - - - - - - - time limit reached",
		"large 2 0 - - - - - - - time limit reached",
	}
	if !reflect.DeepEqual(lines, expected) {
		t.Errorf("found\n%s\nexpected\n%s", strings.Join(lines, "\n"), strings.Join(expected, "\n"))
	}
	var picture bytes.Buffer
	if err := DrawGrowth(&picture, records, "seconds", func(seconds, _ float64) float64 { return seconds }); err != nil {
		t.Fatal(err)
	}
	for _, word := range []string{">states<", ">seconds<", ">1 thread<", ">2 threads<"} {
		if !strings.Contains(picture.String(), word) {
			t.Errorf("growth: there is no %q in\n%s", word, &picture)
		}
	}
	picture.Reset()
	if err := DrawSpeed(&picture, records); err != nil {
		t.Fatal(err)
	}
	if s := picture.String(); !strings.Contains(s, ">small<") || strings.Contains(s, ">large<") || !strings.Contains(s, ">threads<") {
		t.Errorf("speed:\n%s", s)
	}
	picture.Reset()
	if err := DrawGrowth(&picture, nil, "seconds", func(seconds, _ float64) float64 { return seconds }); err != nil || !strings.Contains(picture.String(), ">states<") {
		t.Errorf("nothing: %v\n%s", err, &picture)
	}
}

// Explorations of the same net count the same, whatever the threads.
func TestGrowthContradictions(t *testing.T) {
	records := measureGrowth(t, sampleGrowth())
	if pairs := GrowthContradictions(records); pairs != nil {
		t.Errorf("%+v", pairs)
	}
	for _, change := range []func(*GrowthRecord){func(r *GrowthRecord) { r.States++ }, func(r *GrowthRecord) { r.Transitions-- }} {
		wrong := append([]GrowthRecord(nil), records...)
		change(&wrong[1])
		if pairs := GrowthContradictions(wrong); len(pairs) != 1 || pairs[0][0].Threads != 1 || pairs[0][1].Threads != 2 {
			t.Errorf("%+v", pairs)
		}
	}
}

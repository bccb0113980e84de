package experiment

import (
	"strings"
	"testing"
	"time"

	"pnmc/checker/product"
	"pnmc/petri"
)

// What was measured is measured again where a larger limit, or what is asked for
// now, may tell more, and otherwise not; figures that don't go together are refused.
func TestResume(t *testing.T) {
	plan := func(change func(*Plan)) *Plan {
		p := &Plan{
			Model: "M", Properties: []Property{{Set: "random", Line: 1, Name: "GFa", Fingerprint: "f00d"}},
			Approaches: []product.Approach{product.ByTGBA, product.ByTGTA}, Limit: 2 * time.Second, Budget: petri.Budget{MemoryBytes: 100},
		}
		change(p)
		return p
	}
	record := func(verdict, reason, settings string, change func(*Record)) Record {
		r := Record{
			Model: "M", Set: "random", Line: 1, Formula: "GFa", Approach: "tgta", Verdict: verdict, Reason: reason, FullStates: -1,
			Conditions: Conditions{Settings: settings, TimeLimit: 2, MemoryLimit: 100, Input: "f00d"},
		}
		change(&r)
		return r
	}
	same := func(*Record) {}
	now := func(*Plan) {}
	earlier := func(r *Record) { r.Conditions = Conditions{} }
	const late, large, fly, unsuited = "time limit reached", "memory limit of 0 MB reached", wordOnTheFly, "not stutter-invariant"
	for _, test := range []struct {
		name    string
		plan    func(*Plan)
		records []Record
		retry   bool
		done    int
		untold  int
		problem string
	}{
		{"verdict", now, []Record{record(violated, "", fly, same)}, false, 1, 0, ""},
		{"verdict and retry", now, []Record{record(violated, "", fly, same)}, true, 1, 0, ""},
		{"verdict of an earlier version", now, []Record{record(violated, "", "", earlier)}, false, 1, 1, ""},
		{"same time", now, []Record{record("unknown", late, fly, same)}, false, 1, 0, ""},
		{"same time and retry", now, []Record{record("unknown", late, fly, same)}, true, 0, 0, ""},
		{"more time", func(p *Plan) { p.Limit = 3 * time.Second }, []Record{record("unknown", late, fly, same)}, false, 0, 0, ""},
		{"less time", func(p *Plan) { p.Limit = time.Second }, []Record{record("unknown", late, fly, same)}, false, 1, 0, ""},
		{"any time", func(p *Plan) { p.Limit = 0 }, []Record{record("unknown", late, fly, same)}, false, 0, 0, ""},
		{"time that is not known", now, []Record{record("unknown", late, "", earlier)}, false, 1, 1, ""},
		{"any time after time that is not known", func(p *Plan) { p.Limit = 0 }, []Record{record("unknown", late, "", earlier)}, false, 0, 0, ""},
		{"more memory", func(p *Plan) { p.Budget.MemoryBytes = 200 }, []Record{record("unknown", large, fly, same)}, false, 0, 0, ""},
		{"more time for want of memory", func(p *Plan) { p.Limit = 0 }, []Record{record("unknown", large, fly, same)}, false, 1, 0, ""},
		{"refused, and more time", func(p *Plan) { p.Limit = 0 }, []Record{record("unknown", unsuited, fly, same)}, false, 1, 0, ""},
		{"again in vain", func(p *Plan) { p.Limit = 3 * time.Second }, []Record{record("unknown", late, fly, same), record("unknown", late, fly, func(r *Record) { r.TimeLimit = 3 })}, false, 1, 0, ""},
		{"whole product wanted", func(p *Plan) { p.Full = true }, []Record{record(violated, "", fly, same)}, false, 0, 0, ""},
		{"whole product there", func(p *Plan) { p.Full = true }, []Record{record(violated, "", fly, func(r *Record) { r.FullStates = 7 })}, false, 1, 0, ""},
		{"whole product not to be had", func(p *Plan) { p.Full = true }, []Record{record(violated, "", fly+" full", same)}, false, 1, 0, ""},
		{"whole product with more time", func(p *Plan) { p.Full = true; p.Limit = 0 }, []Record{record(violated, "", fly+" full", same)}, false, 0, 0, ""},
		{"whole product not wanted", now, []Record{record(violated, "", fly+" full", same)}, false, 1, 0, ""},
		{"graph first", func(p *Plan) { p.GraphFirst = true }, []Record{record(violated, "", fly, same)}, false, 1, 0, ""},
		{"another line", now, []Record{record(violated, "", fly, func(r *Record) { r.Line = 2 })}, false, 0, 0, ""},
		{"built", func(p *Plan) { p.Settings.Built = true }, []Record{record(violated, "", fly, same)}, false, 0, 0, "with the settings on-the-fly, which now are built"},
		{"built, another line", func(p *Plan) { p.Settings.Built = true }, []Record{record(violated, "", fly, func(r *Record) { r.Line = 2 })}, false, 0, 0, "with the settings on-the-fly"},
		{"distrust", func(p *Plan) { p.Settings.Distrust = true }, []Record{record(violated, "", fly, same)}, false, 0, 0, "on-the-fly distrust"},
		{"built, by tgba", func(p *Plan) { p.Settings.Built = true }, []Record{record(violated, "", "", func(r *Record) { r.Approach = "tgba" })}, false, 1, 0, ""},
		{"another formula", now, []Record{record(violated, "", fly, func(r *Record) { r.Formula = "GFb" })}, false, 0, 0, `line 1 of random was measured for "GFb", and now is "GFa"`},
		{"another net", now, []Record{record(violated, "", fly, func(r *Record) { r.Input = "beef" })}, false, 0, 0, "another net"},
	} {
		p := plan(test.plan)
		got, err := p.Resume(test.records, test.retry)
		if len(got.Done) != test.done && test.problem == "" || got.Untold != test.untold || !strings.Contains(errorText(err), test.problem) || (err != nil) != (test.problem != "") {
			t.Errorf("%s: %+v, %v", test.name, got, err)
		}
		if test.problem == "" && test.records[0].Line == 1 && got.Again != 1-test.done {
			t.Errorf("%s: %d again", test.name, got.Again)
		}
	}
}

// Of several records for one measurement, one counts.
func TestLatest(t *testing.T) {
	of := func(verdict, reason string) Record { return Record{Approach: "ta", Verdict: verdict, Reason: reason} }
	for _, test := range []struct{ first, second, want Record }{
		{of("unknown", "1"), of("unknown", "2"), of("unknown", "2")},
		{of("unknown", "1"), of(verified, ""), of(verified, "")},
		{of(verified, "1"), of(verified, "2"), of(verified, "2")},
		{of(verified, ""), of("unknown", "2"), of(verified, "")},
	} {
		if got := latest([]Record{test.first, {Approach: "ba"}, test.second}); len(got) != 2 || got[0] != test.want {
			t.Errorf("%+v then %+v: %+v", test.first, test.second, got)
		}
	}
}

package chamber

import "testing"

// TestUnreadIsNotLost: answers are missing without being lost if a limit ended the reading of their
// file, and standard error says so; also where another answer gives the exit code.
func TestUnreadIsNotLost(t *testing.T) {
	const told = "pnmc: formulas.ltl: time limit of 1s reached while it was read\n"
	for _, x := range []struct {
		code     int
		stderr   string
		verdicts int
		lost     bool
	}{
		{2, told, 3, false}, {1, told, 3, false}, {2, told, 0, false},
		{0, told, 3, true}, {1, "", 3, true}, {2, "", 3, true}, {1, told, 5, true}, {2, told, 5, true},
	} {
		k := &check{questions: 4}
		list := k.lost(&Outcome{Code: x.code, Stderr: []byte(x.stderr)}, make([]verdict, x.verdicts))
		if (len(list) > 0) != x.lost {
			t.Errorf("%d verdicts about 4 questions, exit code %d, %q: %v", x.verdicts, x.code, x.stderr, list)
		}
	}
}

// TestMissingPages: a page may be missing only if the program says that a limit left none, and gives no exit code of success.
func TestMissingPages(t *testing.T) {
	const told = "pnmc: no page is written: time limit reached\n"
	const again = "net.pnml: memory limit of 186 MB reached, with 9 MB in reserve while it was read\n" // of the net, for the page
	for _, x := range []struct {
		code    int
		stderr  string
		missing bool
	}{{2, told, false}, {1, told, false}, {0, told, true}, {2, "", true}, {1, "", true}, {2, "pnmc: no page is written: " + again, false}, {2, "pnmc: " + again, true}} {
		o := &Outcome{Code: x.code, Stderr: []byte(x.stderr), Folder: t.TempDir()}
		given := []verdict{{name: "a", value: "TRUE"}}
		if list := (&check{traces: "run.html"}).replay(o, given); len(list) > 0 != x.missing {
			t.Errorf("exit code %d, %q: %v", x.code, x.stderr, list)
		}
		if list := o.pageOf("run.html", nil, given, true); len(list) > 0 != x.missing {
			t.Errorf("exit code %d, %q: %v", x.code, x.stderr, list)
		}
	}
}

// TestRunsThatALimitLeavesOut: a run may be missing where standard error says of its property that a limit left it out.
func TestRunsThatALimitLeavesOut(t *testing.T) {
	for said, is := range map[string]bool{
		"pnmc: a: its run is not told: time limit of 113ms reached\n":                                           true,
		"pnmc: warning: b\npnmc: a: its run is not told: memory limit of 64 MB reached, with 5 MB in reserve\n": true,
		"pnmc: a: its run is not written to t.json: total time limit of 1s reached\n":                           true,
		"pnmc: b: its run is not told: time limit of 113ms reached\n":                                           false,
		"pnmc: a: its run is not told: internal error\n":                                                        false,
		"pnmc: a: unknown: time limit of 113ms reached\n":                                                       false,
	} {
		if (&Outcome{Stderr: []byte(said)}).tellsNoRun("a") != is {
			t.Errorf("%q: %t", said, !is)
		}
	}
}

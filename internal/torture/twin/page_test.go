package twin_test

import (
	"strings"
	"testing"

	"pnmc/internal/torture/twin"
)

// page has the net ring and a run of it.
const page = "<html>\n<script type=\"application/json\" class=\"net\">" +
	`{"title":"ring","places":["p","q","r"],"transitions":["t","u","v"],"arcs":"AQABAQEBAQEBAQABAQECAQIB","initial":"AgAA"}` + "</script>\n" +
	"<script type=\"application/json\" class=\"answer\">" +
	`{"name":"f","kind":"ltl","verdict":"violated","atoms":["p"],"runs":[{"from":-1,"steps":"AQI=","positions":2,"loop":0,"cycle":2,"atoms":["CQ=="]}]}` + "</script>\n"

func TestReadPage(t *testing.T) {
	p, err := twin.ReadPage([]byte(page))
	if err != nil || len(p.Answers) != 1 {
		t.Fatalf("%+v, %v", p, err)
	}
	if err := p.Net.Same(readRing(t)); err != nil {
		t.Error(err)
	}
	trace := p.Trace(p.Answers[0])
	if _, _, err := trace.Replay(readRing(t), nil); err != nil || len(trace.Cycle) != 2 {
		t.Errorf("%+v: %v", trace, err)
	}
}

// TestSpoiledPages: data that are cut or do not fit are found, and so is a run that can't be fired.
func TestSpoiledPages(t *testing.T) {
	for _, x := range [][2]string{
		{`"arcs":"AQABAQEBAQEBAQABAQECAQIB"`, `"arcs":"AQABAQEBAQEBAQABAQECAQ=="`},
		{`"arcs":"AQABAQEB`, `"arcs":"AQABAQkB`},
		{`"initial":"AgAA"`, `"initial":"AgA="`},
		{`"initial":"AgAA"`, `"initial":"AwAA"`},
		{`"steps":"AQI="`, `"steps":"AQ=="`},
		{`"steps":"AQI="`, `"steps":"AQk="`},
		{`"steps":"AQI="`, `"steps":"AgE="`},
		{`"atoms":["CQ=="]`, `"atoms":["BQ=="]`},
		{`"cycle":2`, `"cycle":3`},
		{`"loop":0`, `"loop":2`},
		{`"verdict":"violated"`, `"verdict":"viol"`},
		{`"]}]}`, `"]`},
		{"</script>\n<script", "\n<script"},
		{`["p","q","r"]`, `["p","q"]`},
		{`["t","u","v"]`, `["t","u","w"]`},
	} {
		text := strings.Replace(page, x[0], x[1], 1)
		if text == page {
			t.Fatalf("%q is not there", x[0])
		}
		p, err := twin.ReadPage([]byte(text))
		if err == nil && p.Net != nil {
			err = p.Net.Same(readRing(t))
		}
		if err == nil && len(p.Answers) == 1 {
			_, _, err = p.Trace(p.Answers[0]).Replay(readRing(t), nil)
		}
		if err == nil {
			t.Errorf("%q instead of %q is taken", x[1], x[0])
		}
	}
}

const runsAsText = `# counterexample to G f: 1 step, then a cycle of 2
prefix
  t
cycle
  u  # its name
  t
# run that shows g: 2 steps
prefix
  t  *2
  v
# then u can never fire again
# counterexample to h, part 1 of 2: 0 steps, then a cycle of 2
prefix
cycle
  t
  u
# counterexample to h, part 2 of 2, from part 1 after 1 firing: 1 step
prefix
  t
`

func TestReadTraces(t *testing.T) {
	list, err := twin.ReadTraces(runsAsText)
	if err != nil || len(list) != 3 || !strings.HasSuffix(list[0].Title, " G f") || len(list[2].Branches) != 2 || list[1].Prefix[0].Times != 2 {
		t.Fatalf("%+v, %v", list, err)
	}
	for _, trace := range list {
		if err := trace.ReplayBranches(readRing(t), nil); err != nil {
			t.Errorf("%s: %v", trace.Title, err)
		}
	}
	for _, x := range [][2]string{
		{"  t\ncycle", "cycle"}, {"prefix\n  t\n", "  t\n"}, {"  u  # its name\n", "  u  # its name"}, {": 2 steps", ""}, {", part 2 of 2", ", part 1 of 2"},
		{"after 1 firing", "after 9 firings"}, {"from part 1", "from part 3"}, {"  t  *2", "  t  *3"}, {"  v\n", "  u\n  v\n"}, {"  t\n# run", "  v\n# run"},
		{"cycle\n  t\n  u\n", "cycle\n  t\n  t\n"},
	} {
		text := strings.Replace(runsAsText, x[0], x[1], 1)
		if text == runsAsText {
			t.Fatalf("%q is not there", x[0])
		}
		list, err := twin.ReadTraces(text)
		for _, trace := range list {
			if err == nil {
				err = trace.ReplayBranches(readRing(t), nil)
			}
		}
		if err == nil {
			t.Errorf("%q instead of %q is taken", x[1], x[0])
		}
	}
	if _, err := twin.ReadTraces(runsAsText[:len(runsAsText)-1]); err == nil {
		t.Error("a last line without its end is taken")
	}
}

package main

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"pnmc/play"
	"pnmc/pnml"
)

// TestReadRuns reads runs as --trace writes them, and says what is wrong with others.
func TestReadRuns(t *testing.T) {
	document, err := pnml.Reader{}.ReadDocumentFile("../../testdata/mailbox.pnml")
	if err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string]string{
		`{"name":"a","prefix":[{"transition":"t1","times":3}],"cycle":[{"transition":"t2"}]}`:          "[{a [0 0 0] [1]}]",
		`{"name":"a","trace":null} {"name":"b","trace":{"prefix":[{"transition":"t1"}],"cycle":null}}`: "[{b [0] []}]",
		`{"name":"c","prefix":null,"cycle":null,"branches":[{"prefix":[{"transition":"t1"},{"transition":"t2"}],"cycle":[]},
			{"from":0,"at":1,"prefix":[{"transition":"t3"}],"cycle":[{"transition":"t1"}]},{"from":1,"at":1,"prefix":[{"transition":"t1"}],"cycle":[]}]}`: "[{c, part 1 [0 1] []} {c, part 2 [0 2] [0]} {c, part 3 [0 2 0] []}]",
		``:                                 "expected runs as --trace writes them to a file that ends in .json, found nothing",
		`{"name":"a"`:                      "object 1: unexpected EOF",
		`[]`:                               "object 1: expected an object, found [",
		`{"verdict":"true"}`:               "it has no run",
		`{"prefix":[{"transition":"t9"}]}`: `object 1: the net has no transition "t9"`,
		`{"prefix":[{"transition":"t1","times":9000000000000000000}]}`:                                  "object 1: a run of more than 1000000 steps is not played",
		`{"prefix":[],"branches":[{"from":0,"prefix":[],"cycle":[]}]}`:                                  "object 1: branch 0 begins in branch 0",
		`{"prefix":[],"branches":[{"prefix":[],"cycle":[]},{"from":0,"at":-1,"prefix":[],"cycle":[]}]}`: "object 1: branch 1 begins in branch 0",
		`{"prefix":[],"branches":[{"prefix":[],"cycle":[]},{"from":0,"at":7,"prefix":[],"cycle":[]}]}`:  "object 1: branch 1 begins after 7 steps",
		`{"prefix":[{"deadlock":true}],"name":"a"}`:                                                     fmt.Sprintf("[{a [%d] []}]", uint32(play.Stay)),
	} {
		r := runReader{net: document.Net}
		runs, err := r.read(strings.NewReader(text))
		got := fmt.Sprint(runs)
		if err != nil {
			got = err.Error()
		}
		if !strings.HasPrefix(got, want) {
			t.Errorf("%s: got %s, expected %s", text, got, want)
		}
	}
}

// TestRunsAskForRoom: what a few lines say becomes millions of steps, which ask for room before they
// are made: steps that fire often, and branches that begin where others have come to.
func TestRunsAskForRoom(t *testing.T) {
	document, err := pnml.Reader{}.ReadDocumentFile("../../testdata/mailbox.pnml")
	if err != nil {
		t.Fatal(err)
	}
	const most = 64 << 20
	full := errors.New("no room")
	often := `{"prefix":[{"transition":"t1","times":1000000}]}`
	branches := `{"branches":[{"prefix":[{"transition":"t1","times":1000}]}`
	for i := range 800 {
		branches += fmt.Sprintf(`,{"from":%d,"at":1000,"prefix":[{"transition":"t1","times":1000}]}`, i)
	}
	long := `{"prefix":[{"transition":"t1","binding":{"x":"` + strings.Repeat("a", 12<<20) + `"}}]}`
	for name, text := range map[string]string{"often": strings.Repeat(often, 30), "branches": branches + "]}", "a long step": long} {
		asked := 0
		r := runReader{net: document.Net, limit: func(bytes int) error {
			if asked += bytes; asked > most {
				return full
			}
			return nil
		}}
		if runs, err := r.read(strings.NewReader(text)); !errors.Is(err, full) {
			t.Errorf("%s: %d runs, %d bytes asked for, %v", name, len(runs), asked, err)
		}
	}
	few := 0
	r := runReader{net: document.Net, limit: func(bytes int) error { few += bytes; return nil }}
	if runs, err := r.read(strings.NewReader(often)); err != nil || len(runs) != 1 || few > 8<<20 {
		t.Errorf("%d runs, %d bytes asked for, %v", len(runs), few, err)
	}
	r = runReader{net: document.Net}
	if _, err := r.read(strings.NewReader(`{"name":"` + strings.Repeat("a", longestValue+1<<20) + `"}`)); err == nil || !strings.Contains(err.Error(), "a value of more than 16 MB") {
		t.Errorf("a name without end: %v", err)
	}
}

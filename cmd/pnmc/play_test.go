package main

import (
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
		`[]`:                               "object 1: json: cannot unmarshal array",
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

package logic

import (
	"strconv"
	"strings"
	"testing"

	"pnmc/logic/internal/logictest"
)

func TestParseSum(t *testing.T) {
	for text, want := range map[string]string{
		"p":                     "1p",
		"p1 + 2*p2":             "1p1 2p2",
		"tokens(p, p1)":         "1p 1p1",
		"group":                 "1p1 1p2",
		"p - p + b":             "1b",
		"3 - 2*(p - 1)":         "-2p +5",
		"a-b":                   "1a-b",
		"7":                     "17",
		"p >= 1":                "1:1: a proposition stands where a number is expected",
		"EF p":                  "1:4: unexpected \"p\"; expected an operator or the end",
		"zz":                    `1:1: no place "zz"`,
		"p +":                   "1:4: unexpected end; expected a place, a number, \"(\", tokens(…), fireable(…), deadlock, true, false or !",
		"9223372036854775807*2": "1:21: a number here exceeds 2^63-1",
	} {
		s, err := ParseSum(text, logictest.Names)
		got := ""
		for _, term := range s.Terms {
			got += " " + strings.TrimSpace(strconv.FormatInt(term.Coefficient, 10)+logictest.Names.PlaceIDs[term.Place])
		}
		if s.Constant != 0 {
			got += " +" + strconv.FormatInt(s.Constant, 10)
		}
		if err != nil {
			got = err.Error()
		}
		if got = strings.TrimSpace(got); got != want {
			t.Errorf("%s: got %s, want %s", text, got, want)
		}
	}
}

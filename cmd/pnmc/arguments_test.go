package main

import (
	"slices"
	"strings"
	"testing"

	"pnmc/cmd/pnmc/internal/usage"
)

func TestFlagsFirst(t *testing.T) {
	app := newApp(nil, nil, nil)
	for given, want := range map[string]string{
		"pnmc translate Ga --to ba":                       "pnmc translate --to ba Ga",
		"pnmc translate Ga --negate Fb --to=ba":           "pnmc translate --negate --to=ba Ga Fb",
		"pnmc translate Ga -f Fb --negate Gc":             "pnmc translate -f Fb --negate Ga Gc",
		"pnmc translate Ga --to":                          "pnmc translate --to Ga",
		"pnmc translate Ga --wrong Fb":                    "pnmc translate --wrong Ga Fb",
		"pnmc translate - --negate -- --to":               "pnmc translate --negate -- - --to",
		"pnmc translate -- Ga --to":                       "pnmc translate -- Ga --to",
		"pnmc --pnml net --hoa a":                         "pnmc --pnml net --hoa a",
		"pnmc translate":                                  "pnmc translate",
		"pnmc translate Ga -- --generate-bash-completion": "pnmc translate Ga -- --generate-bash-completion",
	} {
		got := usage.FlagsFirst(app, strings.Fields(given))
		if !slices.Equal(got, strings.Fields(want)) {
			t.Errorf("%s: %v", given, got)
		}
	}
}

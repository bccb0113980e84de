package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/urfave/cli/v2"

	"pnmc/cmd/pnmc/internal/exit"
)

// TestFlagsGivenTwice: of each flag of each command that takes one value, a second that differs is refused before anything is read,
// in whichever spelling.
func TestFlagsGivenTwice(t *testing.T) {
	app := newApp(nil, nil, nil)
	commands := map[string][]cli.Flag{"": app.Flags}
	for _, c := range app.Commands {
		commands[c.Name] = c.Flags
	}
	tried := 0
	for command, flags := range commands {
		for _, f := range flags {
			first, second := "1", "2"
			switch f := f.(type) {
			case *cli.BoolFlag:
				continue
			case cli.DocGenerationSliceFlag:
				if f.IsSliceFlag() {
					continue
				}
			}
			long := "--" + f.Names()[0] // another form of the same flag is refused by the library
			for _, arguments := range [][]string{{long, first, long, second}, {long[1:] + "=" + first, long + "=" + second}} {
				if command != "" {
					arguments = append([]string{command, "file"}, arguments...)
				}
				tried++
				code, stdout, stderr := callPnmc(append([]string{"pnmc"}, arguments...)...)
				want := "pnmc: " + long + `: expected one value, found "` + first + `" and "` + second + "\"\n"
				if code != exit.Usage || stdout != "" || stderr != want {
					t.Errorf("%q: exit code %d, %s", arguments, code, stderr)
				}
			}
		}
	}
	if tried < 200 {
		t.Errorf("only %d tried", tried)
	}
}

// TestFlagsThatMayBeGivenTwice: the same value again, switches, and flags that take several values; what stands behind -- is no flag.
func TestFlagsThatMayBeGivenTwice(t *testing.T) {
	const net = "../../testdata/philosophers.pnml"
	folder := t.TempDir()
	var files []string
	for name, text := range map[string]string{"a.ltl": "F a\n", "b.ltl": "G b\nG c\n"} {
		files = append(files, filepath.Join(folder, name))
		if err := os.WriteFile(files[len(files)-1], []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	code, stdout, stderr := callPnmc("pnmc", "cross", "--complement", "0", "--format", "json", "--formulas", files[0], "--formulas", files[1], "--", "false %f", "false %F", "false %F")
	for _, f := range []string{"Fa", "Gb", "Gc"} {
		if !strings.Contains(stdout, `"`+f+`"`) {
			t.Errorf("of two files of formulas, %s is not compared: exit code %d, %s%s", f, code, stdout, stderr)
		}
	}
	for _, arguments := range []string{
		"--pnml FILE --pnml FILE --deadlock --timeout 10s -q --timeout=10s -q", "--pnml FILE --reachable true --reachable false",
		"states --pnml FILE --engine symbolic --engine symbolic",
	} {
		if code, _, stderr := callPnmc(strings.Fields("pnmc " + strings.ReplaceAll(arguments, "FILE", net))...); code > exit.Unknown {
			t.Errorf("%s: exit code %d, %s", arguments, code, stderr)
		}
	}
}

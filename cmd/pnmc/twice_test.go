package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/urfave/cli/v2"

	"pnmc/cmd/pnmc/internal/exit"
)

// TestFlagsGivenTwice: of each flag of each command that names one file, a second one that differs is refused before anything is read,
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
			if text, is := f.(*cli.StringFlag); !is || !text.TakesFile {
				continue
			}
			long := "--" + f.Names()[0] // another form of the same flag is refused by the library
			for _, arguments := range [][]string{{long, "1", long, "2"}, {long[1:] + "=1", long + "=2"}} {
				if command != "" {
					arguments = append([]string{command, "file"}, arguments...)
				}
				tried++
				code, stdout, stderr := callPnmc(append([]string{"pnmc"}, arguments...)...)
				if code != exit.Usage || stdout != "" || stderr != "pnmc: "+long+": expected one name, found \"1\" and \"2\"\n" {
					t.Errorf("%q: exit code %d, %s", arguments, code, stderr)
				}
			}
		}
	}
	if tried < 60 {
		t.Errorf("only %d tried", tried)
	}
}

// TestFlagsOfFilesSaySo: of each flag whose help says that its value is a file or a folder, the program knows it: names are completed, and
// two of them refused.
func TestFlagsOfFilesSaySo(t *testing.T) {
	app := newApp(nil, nil, nil)
	names := regexp.MustCompile("`[^`]*(FILE|FOLDER|DIR)[^`]*`")
	commands, seen := append([]*cli.Command{{Name: "pnmc", Flags: app.Flags}}, app.Commands...), 0
	for _, c := range commands {
		for _, f := range c.Flags {
			var usage string
			var takesFile bool
			switch f := f.(type) {
			case *cli.StringFlag:
				usage, takesFile = f.Usage, f.TakesFile
			case *cli.StringSliceFlag:
				usage, takesFile = f.Usage, f.TakesFile
			}
			if names.MatchString(usage) {
				seen++
				if !takesFile {
					t.Errorf("%s --%s: %q, but no file is expected", c.Name, f.Names()[0], usage)
				}
			}
		}
	}
	if seen < 50 {
		t.Errorf("only %d flags seen", seen)
	}
}

// TestFlagsThatMayBeGivenTwice: the same name again, settings, of which the last counts, switches, and flags that take several values; what stands behind -- is no flag.
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
		"states --pnml FILE --engine explicit --engine symbolic", "--pnml FILE --deadlock --timeout 1ns --timeout 1h",
	} {
		if code, _, stderr := callPnmc(strings.Fields("pnmc " + strings.ReplaceAll(arguments, "FILE", net))...); code > exit.Unknown {
			t.Errorf("%s: exit code %d, %s", arguments, code, stderr)
		}
	}
}

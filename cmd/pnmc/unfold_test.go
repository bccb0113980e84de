package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"pnmc/cmd/pnmc/internal/exit"
)

// wideNet has a transition with a million bindings for any two of its variables.
const wideNet = `<pnml xmlns="http://www.pnml.org/version-2009/grammar/pnml"><net id="n" type="http://www.pnml.org/version-2009/grammar/symmetricnet">
<declaration><structure><declarations><namedsort id="C" name="C"><finiteintrange start="1" end="1000"/></namedsort>
<variabledecl id="x" name="x"><usersort declaration="C"/></variabledecl><variabledecl id="y" name="y"><usersort declaration="C"/></variabledecl>
</declarations></structure></declaration><page id="g">
<place id="p"><type><structure><usersort declaration="C"/></structure></type><hlinitialMarking><structure><all><usersort declaration="C"/></all></structure></hlinitialMarking></place>
<transition id="t"/><transition id="u"/>
%s</page></net></pnml>`

// TestLimitsCutUnfoldingShort: a command that has to unfold ends within its limits,
// and says what it could not do.
func TestLimitsCutUnfoldingShort(t *testing.T) {
	arcs := ""
	for _, transition := range []string{"t", "u"} {
		for i, variable := range []string{"x", "y"} {
			arcs += fmt.Sprintf(`<arc id="a%[1]s%[2]d" source="p" target="%[1]s"><hlinscription><structure><variable refvariable="%[3]s"/></structure></hlinscription></arc>`,
				transition, i, variable)
		}
	}
	net := filepath.Join(t.TempDir(), "wide.pnml")
	if err := os.WriteFile(net, fmt.Appendf(nil, wideNet, arcs), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		arguments []string
		message   string
	}{
		{[]string{"unfold", "--pnml", net, "--timeout", "100ms"}, "unfolding not finished within 100ms"},
		{[]string{"unfold", "--pnml", net, "--max-nodes", "100000000", "--max-memory", "80MB"}, "unfolding not finished: memory limit of 80 MB reached, with 6 MB in reserve"},
		{[]string{"unfold", "--pnml", net, "--max-nodes", "10"}, "more than 10 colours or more than 2^63-1 tokens"},
		{[]string{"--pnml", net, "--ltl", "G true", "--approach", "tgba", "--timeout", "100ms"}, "unfolding not finished within 100ms"},
		{[]string{"states", "--pnml", net, "--timeout", "100ms"}, "unfolding not finished within 100ms"},
	} {
		command := program(t, c.arguments...)
		var stdout, stderr bytes.Buffer
		command.Stdout, command.Stderr = &stdout, &stderr
		code := exitCode(t, command)
		if code != exit.Unknown || stdout.Len() > 0 || !strings.HasSuffix(stderr.String(), c.message+"\n") {
			t.Errorf("%v: exit code %d\n%s%s", c.arguments, code, stdout.String(), stderr.String())
		}
		// Time on a processor, which others that are at work do not make longer.
		if d := command.ProcessState.UserTime() + command.ProcessState.SystemTime(); d > 20*time.Second {
			t.Errorf("%v took %s of a processor", c.arguments, d)
		}
	}
}

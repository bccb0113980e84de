package main

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"text/tabwriter"
	"time"

	"pnmc/automata"
	"pnmc/checker/product"
	"pnmc/cmd/pnmc/internal/exit"
	"pnmc/hoa"
	"pnmc/internal/process"
	"pnmc/mcc"
	"pnmc/petri"
	"pnmc/pnml"
)

var (
	hostileDirectory = flag.String("hostile", "", "run all commands on the nets and automata in this `folder`, too, and hold them to their time")
	hostileTime      = flag.Duration("hostile.time", 5*time.Second, "with -hostile: the limit of `time`")
	hostileProgram   = flag.String("hostile.program", "", "with -hostile: run this `program`, not one that is built for it")
)

// A hostileRun is what a run of the program on hostile input took.
type hostileRun struct {
	command, what string
	late          time.Duration // beyond the limit
	peak          int64         // of all its processes together
	code          int
}

// What a run may take beyond its limits.
const (
	mayBeLate    = time.Second
	mayTake      = 30 << 20
	hostileLimit = 300 << 20
)

// TestHostileInput runs every approach of the main command, every examination of mcc, states and bench on a
// net of 3,000 transitions that are enabled at once: none takes more memory than its limit and a little. With
// -hostile DIR, it does so on all nets and automata of a folder, with every pair of a net and an
// automaton, and the time is held to as well: that depends on what else the machine does.
func TestHostileInput(t *testing.T) {
	if testing.Short() {
		t.Skip("a minute")
	}
	h := &hostileInput{T: t, folder: t.TempDir(), limit: time.Second}
	nets := []string{togglesFile(t, 3000)}
	var automata []string
	if *hostileDirectory == "" {
		h.program = program(t).Path
	} else {
		h.limit = *hostileTime
		for _, name := range []string{"*.pnml", "*.hoa"} {
			found, err := filepath.Glob(filepath.Join(*hostileDirectory, name))
			if err != nil || len(found) == 0 {
				t.Fatalf("no %s in %s: %v", name, *hostileDirectory, err)
			}
			if name == "*.pnml" {
				nets = append(nets, found...)
			} else {
				automata = found
			}
		}
		if h.program = *hostileProgram; h.program == "" {
			h.program = filepath.Join(h.folder, "pnmc")
			if text, err := exec.Command("go", "build", "-o", h.program, ".").CombinedOutput(); err != nil {
				t.Fatalf("%v\n%s", err, text)
			}
		}
	}
	for _, net := range nets {
		h.onNet(net, automata)
	}
	h.table()
}

// hostileInput runs the program on hostile input.
type hostileInput struct {
	*testing.T
	folder, program string
	limit           time.Duration
	runs            []hostileRun
}

// onNet runs all commands on a net.
func (h *hostileInput) onNet(path string, hoaFiles []string) {
	h.Helper()
	net := h.read(path)
	name := strings.TrimSuffix(filepath.Base(path), ".pnml")
	formulas := h.formulas(net)
	for approach := product.Auto; approach <= product.BySelfLoops; approach++ {
		command := "--approach " + approach.String()
		for _, f := range formulas {
			h.run(command, name+", "+f, "--pnml", path, "--approach", approach.String(), "--ltl", f, "--timeout", h.limit.String())
		}
		for _, a := range hoaFiles {
			h.run(command, name+", "+filepath.Base(a), "--pnml", path, "--approach", approach.String(), "--hoa", a, "--ap", h.meaning(net, a), "--timeout", h.limit.String())
		}
	}
	folder := h.contestFolder(path, net)
	for _, examination := range mcc.Examinations() {
		h.run("mcc "+examination, name, "mcc", "--examination", examination, "--time", h.limit.String(), "--memory", "300MB", folder)
	}
	for _, arguments := range [][]string{{"--threads", "1"}, {"--threads", "4"}, {"--engine", "symbolic"}} {
		h.run("states", name+", "+strings.Join(arguments, " "), append([]string{"states", "--pnml", path, "--timeout", h.limit.String()}, arguments...)...)
	}
	file := filepath.Join(h.folder, name+".ltl")
	write(h.T, file, strings.Join(formulas, "\n")+"\n")
	for _, jobs := range []string{"1", "2"} {
		for _, approaches := range []string{"ba,tgba,ta,tgta", "sym-tgba,sym-tgta,sym-slap"} {
			measured := filepath.Join(h.folder, fmt.Sprintf("%s-%s-%d.csv", name, jobs, len(approaches)))
			h.run("bench", name+", "+approaches+", --jobs "+jobs, "bench", "--pnml", path, "--formulas", file, "--approaches", approaches,
				"--jobs", jobs, "--timeout", h.limit.String(), "--total-timeout", h.limit.String(), "-o", measured)
		}
		for _, a := range hoaFiles {
			measured := filepath.Join(h.folder, fmt.Sprintf("%s-%s-%s.csv", name, jobs, filepath.Base(a)))
			h.run("bench", name+", "+filepath.Base(a)+", --jobs "+jobs, "bench", "--pnml", path, "--formulas", a, "--ap", h.meaning(net, a),
				"--jobs", jobs, "--timeout", h.limit.String(), "--total-timeout", h.limit.String(), "-o", measured)
		}
	}
	h.run("bench --states", name, "bench", "--states", path, "--threads", "1", "--runs", "1", "--timeout", h.limit.String(), "--total-timeout", h.limit.String(),
		"-o", filepath.Join(h.folder, name+"-states.csv"))
}

// read reads a net, which has no colours.
func (h *hostileInput) read(path string) *petri.Net {
	h.Helper()
	f, err := os.Open(path)
	if err != nil {
		h.Fatal(err)
	}
	defer f.Close()
	net, err := pnml.Reader{}.Read(f, path)
	if err != nil {
		h.Fatal(err)
	}
	return net
}

// formulas returns formulas about a net of which all markings are to be looked at, and one of the folder's
// tale of a place b that gets more tokens than it is said to have.
func (h *hostileInput) formulas(net *petri.Net) []string {
	list := []string{fmt.Sprintf("!(F %[1]s && G F %[2]s)", h.marked(net, 3, 1), h.marked(net, 5, 1))}
	if _, ok := net.PlaceByID("b"); ok {
		list = append(list, `F "b >= 5"`)
	}
	return list
}

// marked returns a proposition that a place has so many tokens.
func (h *hostileInput) marked(net *petri.Net, place, tokens int) string {
	return fmt.Sprintf("\"%s >= %d\"", net.PlaceLabel(petri.Place(place%net.Places())).ID, tokens)
}

// meaning returns a file that gives the propositions of an automaton a meaning in a net.
func (h *hostileInput) meaning(net *petri.Net, path string) string {
	h.Helper()
	f, err := os.Open(path)
	if err != nil {
		h.Fatal(err)
	}
	defer f.Close()
	var a *automata.Automaton
	if a, err = hoa.NewReader(f, path).Read(); err != nil {
		h.Fatal(err)
	}
	var text strings.Builder
	for i, name := range a.Propositions {
		fmt.Fprintf(&text, "%q: %s\n", name, strings.Trim(h.marked(net, 3+2*i, 1), `"`))
	}
	file := filepath.Join(h.folder, "meaning.txt")
	write(h.T, file, text.String())
	return file
}

// contestFolder makes the folder of an instance of the contest out of a net, with properties that one place
// gets as many tokens as another and that a transition is fireable.
func (h *hostileInput) contestFolder(path string, net *petri.Net) string {
	h.Helper()
	folder := h.T.TempDir()
	model, err := os.ReadFile(path)
	if err != nil {
		h.Fatal(err)
	}
	write(h.T, filepath.Join(folder, "model.pnml"), string(model))
	tokens := func(place int) string {
		return "<tokens-count><place>" + net.PlaceLabel(petri.Place(place%net.Places())).ID + "</place></tokens-count>"
	}
	fireable := func(transition int) string {
		return "<is-fireable><transition>" + net.TransitionLabel(petri.Transition(transition%net.Transitions())).ID + "</transition></is-fireable>"
	}
	in := func(words string, inner string) string {
		for _, w := range slices.Backward(strings.Fields(words)) {
			inner = "<" + w + ">" + inner + "</" + w + ">"
		}
		return inner
	}
	states := map[string][2]string{
		"Cardinality": {in("integer-le", tokens(3)+tokens(5)), in("integer-le", tokens(7)+tokens(4))},
		"Fireability": {in("conjunction", fireable(0)+in("negation", fireable(1))), fireable(2)},
	}
	for _, examination := range mcc.Examinations() {
		if !mcc.HasPropertyFile(examination) {
			continue
		}
		var formulas []string
		for kind, s := range states {
			if !strings.HasSuffix(examination, kind) {
				continue
			}
			switch strings.TrimSuffix(examination, kind) {
			case "Reachability":
				formulas = []string{in("all-paths globally", s[0]), in("exists-path finally", in("conjunction", s[0]+in("negation", s[1])))}
			case "CTL":
				formulas = []string{in("all-paths globally exists-path finally", s[0]), in("exists-path globally", in("disjunction", s[0]+in("all-paths finally", s[1])))}
			case "LTL":
				formulas = []string{in("all-paths globally finally", s[0]), in("all-paths until", in("before", s[1])+in("reach globally finally", s[0]))}
			}
		}
		if examination == "UpperBounds" {
			formulas = []string{in("place-bound place", net.PlaceLabel(1).ID)}
		}
		var text strings.Builder
		text.WriteString(`<?xml version="1.0"?><property-set xmlns="http://mcc.lip6.fr/">`)
		for i, f := range formulas {
			fmt.Fprintf(&text, "<property><id>p%d</id><description/><formula>%s</formula></property>", i, f)
		}
		text.WriteString("</property-set>")
		write(h.T, filepath.Join(folder, examination+".xml"), text.String())
	}
	return folder
}

// run runs the program, and reports if it breaks a limit or has a defect. For what a command is asked has no
// part in that, and an answer is none.
func (h *hostileInput) run(command, what string, arguments ...string) {
	h.Helper()
	if !slices.Contains(arguments, "--memory") {
		arguments = append(arguments, "--max-memory", "300MB")
	}
	ctx, cancel := context.WithTimeout(h.Context(), h.limit+time.Minute)
	defer cancel()
	c := exec.CommandContext(ctx, h.program, arguments...)
	c.Env = append(os.Environ(), asTranslator+"=program")
	var told bytes.Buffer
	c.Stderr = &told
	c.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	begun := time.Now()
	if err := c.Start(); err != nil {
		h.Fatal(err)
	}
	done := make(chan struct{})
	peak := make(chan int64)
	go func() { peak <- peakTogether(c.Process.Pid, done) }()
	_ = c.Wait() // the exit code is looked at below
	r := hostileRun{command: command, what: what, late: time.Since(begun) - h.limit, code: c.ProcessState.ExitCode()}
	close(done)
	r.peak = process.PeakOf(c.ProcessState, <-peak)
	h.runs = append(h.runs, r)
	if r.code < 0 || r.code >= exit.Usage {
		h.Errorf("%s, %s: exit code %d\n%.2000s", command, what, r.code, &told)
	}
	if r.peak > hostileLimit+mayTake {
		h.Errorf("%s, %s: %d MB of %d MB", command, what, r.peak>>20, hostileLimit>>20)
	}
	if *hostileDirectory != "" && r.late > mayBeLate {
		h.Errorf("%s, %s: %v beyond the limit of %v", command, what, r.late, h.limit)
	}
}

// peakTogether returns the most memory that a process and its children had together, until it is done.
func peakTogether(pid int, done chan struct{}) (most int64) {
	for {
		_, all := process.Memory(pid)
		text, _ := os.ReadFile(fmt.Sprintf("/proc/%d/task/%[1]d/children", pid)) // it may have ended
		for child := range strings.FieldsSeq(string(text)) {
			var number int
			if _, err := fmt.Sscan(child, &number); err == nil {
				resident, _ := process.Memory(number)
				all += resident
			}
		}
		most = max(most, all)
		select {
		case <-done:
			return most
		case <-time.After(10 * time.Millisecond):
		}
	}
}

// table writes what was worst of each command.
func (h *hostileInput) table() {
	var text bytes.Buffer
	w := tabwriter.NewWriter(&text, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "command\truns\tlate\tby\tMB\tby")
	for i, r := range h.runs {
		first := slices.IndexFunc(h.runs, func(o hostileRun) bool { return o.command == r.command })
		if first < i {
			continue
		}
		n, latest, largest := 0, r, r
		for _, o := range h.runs {
			if o.command != r.command {
				continue
			}
			n++
			if o.late > latest.late {
				latest = o
			}
			if o.peak > largest.peak {
				largest = o
			}
		}
		fmt.Fprintf(w, "%s\t%d\t%+.2fs\t%s\t%d\t%s\n", r.command, n, latest.late.Seconds(), latest.what, largest.peak>>20, largest.what)
	}
	w.Flush()
	h.Logf("limits: %v, %d MB\n%s", h.limit, hostileLimit>>20, &text)
}

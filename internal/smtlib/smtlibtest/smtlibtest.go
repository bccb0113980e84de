// Package smtlibtest has solvers for tests that are not to be trusted, or that only repeat what another
// said.
//
// In comes a way to behave badly; out goes the command line of a program that does. The program is the
// test itself: it calls Main as it is initialized, which behaves so instead of running tests.
package smtlibtest

import (
	"bufio"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"time"
)

// word is the first argument of a test that is to be a solver.
const word = "be-a-solver"

// The ways to behave. Each is told by the arguments of Command.
const (
	Random     = "random"    // any answer of the right form; then a seed
	Honestly   = "unknown"   // says unknown each time
	Nonsense   = "nonsense"  // writes what is no answer
	Hanging    = "hanging"   // reads, and never answers
	Deaf       = "deaf"      // neither reads nor answers
	Dying      = "dying"     // ends at the first question, with a complaint
	Flooding   = "flooding"  // writes without end
	Nested     = "nested"    // writes parentheses without end
	Half       = "half"      // ends in the middle of an answer
	Leaving    = "leaving"   // starts a process that holds its pipes, and ends; then a file for its number
	Sat        = "sat"       // says sat each time, with values of 0
	Unsat      = "unsat"     // says unsat each time, for no reason
	Recording  = "recording" // asks another solver; then a file for what both say, and a command line
	Repeating  = "repeating" // says what was recorded; then the file
	largeValue = "9223372036854775807"
)

// Ways are those that Command needs nothing more for.
var Ways = []string{Honestly, Nonsense, Hanging, Deaf, Dying, Flooding, Nested, Half, Sat, Unsat}

// Command returns the command line of a solver that behaves in a way, of which arguments say more.
func Command(way string, arguments ...string) string {
	line := `"` + os.Args[0] + `" ` + word + " " + way
	for _, a := range arguments {
		line += ` "` + a + `"`
	}
	return line
}

// Main behaves as Command told, and ends the process. It returns where tests are to be run.
func Main() {
	if len(os.Args) < 3 || os.Args[1] != word {
		return
	}
	behave()
	os.Exit(0)
}

// behave is a solver until its input ends.
func behave() {
	way, rest := os.Args[2], os.Args[3:]
	switch way {
	case Deaf:
		time.Sleep(time.Hour)
	case Recording:
		record(rest[0], rest[1:])
		return
	case Repeating:
		repeat(rest[0])
		return
	}
	seed := uint64(0)
	if way == Random {
		seed, _ = strconv.ParseUint(rest[0], 10, 64)
	}
	f := &fake{way: way, rest: rest, random: rand.New(rand.NewPCG(seed, 1)), out: bufio.NewWriter(os.Stdout)}
	lines := bufio.NewScanner(os.Stdin)
	lines.Buffer(nil, 1<<26)
	for lines.Scan() {
		if asks(lines.Text()) {
			f.answer(lines.Text())
			f.out.Flush()
		}
	}
}

// asks reports whether a line is a command that has an answer.
func asks(line string) bool {
	return strings.HasPrefix(line, "(check-") || strings.HasPrefix(line, "(get-")
}

// fake is a solver that solves nothing.
type fake struct {
	way    string
	rest   []string
	random *rand.Rand
	out    *bufio.Writer
}

// answer answers a question.
func (f *fake) answer(question string) {
	switch f.way {
	case Nonsense:
		fmt.Fprintln(f.out, []string{"maybe", ")", "(sat)", "(error \"no\")", "5", "\"sat"}[f.random.IntN(6)])
	case Hanging:
		time.Sleep(time.Hour)
	case Dying:
		fmt.Fprintln(os.Stderr, "solver: out of luck")
		os.Exit(3)
	case Flooding:
		for {
			fmt.Fprint(f.out, "sat")
		}
	case Nested:
		for {
			fmt.Fprint(f.out, "(")
		}
	case Half:
		fmt.Fprint(f.out, "((p0 1")
		f.out.Flush()
		os.Exit(0)
	case Leaving:
		child := exec.Command("sleep", "600")
		child.Stdout, child.Stderr = os.Stdout, os.Stderr
		if err := child.Start(); err == nil {
			_ = os.WriteFile(f.rest[0], []byte(strconv.Itoa(child.Process.Pid)), 0o600)
		}
		os.Exit(0)
	default:
		f.wellFormed(question)
	}
}

// wellFormed answers with something that may be an answer.
func (f *fake) wellFormed(question string) {
	switch {
	case strings.HasPrefix(question, "(check-"):
		answers := []string{"sat", "unsat", "sat", "unsat", "sat", "unsat", "unknown"}
		if f.way != Random {
			answers = []string{f.way}
		}
		fmt.Fprintln(f.out, answers[f.random.IntN(len(answers))])
	case strings.HasPrefix(question, "(get-unsat"):
		var core []string
		if f.way == Random {
			for i := range 4 {
				if f.random.IntN(2) == 0 {
					core = append(core, "c"+strconv.Itoa(i))
				}
			}
		}
		fmt.Fprintf(f.out, "(%s)\n", strings.Join(core, " "))
	default:
		names := strings.Fields(strings.Trim(strings.TrimPrefix(question, "(get-value"), " ()"))
		for i, name := range names {
			value := "0"
			if f.way == Random {
				value = []string{"0", "0", "1", "1", "2", "3", "(- 1)", largeValue}[f.random.IntN(8)]
			}
			names[i] = "(" + name + " " + value + ")"
		}
		fmt.Fprintf(f.out, "(%s)\n", strings.Join(names, " "))
	}
}

// record passes questions on to another solver, and writes a file of what is said: a line of > for what the
// solver is told, and one of < for what it says. Answers have to be on one line.
func record(path string, words []string) {
	command := exec.Command(words[0], words[1:]...)
	input, err := command.StdinPipe()
	fail(err)
	output, err := command.StdoutPipe()
	fail(err)
	fail(command.Start())
	file, err := os.Create(path)
	fail(err)
	answers := bufio.NewReader(output)
	for lines := bufio.NewScanner(os.Stdin); lines.Scan(); {
		line := lines.Text()
		fmt.Fprintln(file, "> "+line)
		_, err := fmt.Fprintln(input, line)
		fail(err)
		if !asks(line) {
			continue
		}
		answer := ""
		for first := true; first || strings.Count(answer, "(") > strings.Count(answer, ")"); first = false {
			part, err := answers.ReadString('\n')
			fail(err)
			answer += strings.TrimSpace(part) + " "
		}
		fmt.Fprintln(file, "< "+strings.TrimSpace(answer))
		fmt.Println(strings.TrimSpace(answer))
	}
}

// repeat says what record wrote, as long as it is told what the other solver was told.
func repeat(path string) {
	text, err := os.ReadFile(path)
	fail(err)
	script := strings.Split(strings.TrimSpace(string(text)), "\n")
	for lines := bufio.NewScanner(os.Stdin); lines.Scan(); {
		if len(script) == 0 || script[0] != "> "+lines.Text() {
			fail(fmt.Errorf("not as recorded: %s", lines.Text()))
		}
		script = script[1:]
		if len(script) > 0 && strings.HasPrefix(script[0], "< ") {
			fmt.Println(script[0][2:])
			script = script[1:]
		}
	}
}

// fail ends the process if there is an error.
func fail(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

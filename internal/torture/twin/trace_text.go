package twin

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

var (
	titleForm = regexp.MustCompile(`^# (.+?)(?:, part ([0-9]+) of ([0-9]+))?(?:, from part ([0-9]+) after ([0-9]+) firings?)?: ([0-9]+) steps?(?:, then a cycle of ([0-9]+))?$`)
	deadForm  = regexp.MustCompile(`^# then .+ can never fire again$`)
	stepForm  = regexp.MustCompile(`^  (\S.*?)(?:  \*([0-9]+))?(?:  # (.+))?$`)
)

// ReadTraces reads a file of traces as text: for each run a title, and then a transition a line in
// the sections prefix and cycle. Each run must have as many steps as its title tells, and each
// run of several the part that comes next.
//
// For example, "# counterexample to G p: 1 step, then a cycle of 2" is followed by prefix and one
// step, and by cycle and two steps.
func ReadTraces(text string) (list []*Trace, err error) {
	if text != "" && !strings.HasSuffix(text, "\n") {
		return nil, fmt.Errorf("the last line is cut: %q", text[max(0, len(text)-60):])
	}
	lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
	if text == "" {
		lines = nil
	}
	parts := 0 // of the trace that is read, which are still to come
	for i := 0; i < len(lines); {
		m := titleForm.FindStringSubmatch(lines[i])
		if m == nil {
			return nil, fmt.Errorf("line %d, %q: expected the title of a run", i+1, cutTo(lines[i]))
		}
		prefix, cycle, next, err := readSections(lines, i+1)
		if err != nil {
			return nil, err
		}
		if m[6] != strconv.Itoa(len(prefix)) || m[7] != count(cycle) {
			return nil, fmt.Errorf("line %d, %q: there are %d steps and a cycle of %d", i+1, cutTo(lines[i]), len(prefix), len(cycle))
		}
		i = next
		if m[2] == "" && m[4] == "" {
			if parts > 0 {
				return nil, fmt.Errorf("line %d: %d parts of the run before are missing", i+1, parts)
			}
			t := &Trace{Title: m[1], Prefix: prefix, Cycle: cycle}
			list = append(list, t)
			continue
		}
		part, _ := strconv.Atoi(m[2])
		of, _ := strconv.Atoi(m[3])
		if part == 1 && parts == 0 {
			list, parts = append(list, &Trace{Title: m[1]}), of
		}
		if of == 0 || parts == 0 || part != of-parts+1 || list[len(list)-1].Title != m[1] {
			return nil, fmt.Errorf("line %d, part %d of %d of a run, where %d parts are to come", i+1, part, of, parts)
		}
		parts--
		b := Branch{Prefix: prefix, Cycle: cycle}
		if m[4] != "" {
			from, _ := strconv.Atoi(m[4])
			at, err := strconv.Atoi(m[5])
			if err != nil {
				return nil, err
			}
			from--
			b.From, b.At = &from, &at
		}
		t := list[len(list)-1]
		t.Branches = append(t.Branches, b)
	}
	if parts > 0 {
		return nil, fmt.Errorf("%d parts of the last run are missing", parts)
	}
	return list, nil
}

// count returns the number of steps of a cycle as text, and nothing for none.
func count(cycle []Step) string {
	if len(cycle) == 0 {
		return ""
	}
	return strconv.Itoa(len(cycle))
}

func cutTo(line string) string { return line[:min(len(line), 200)] }

// readSections reads the lines prefix and cycle with their steps, from line i on.
func readSections(lines []string, i int) (prefix, cycle []Step, next int, err error) {
	section := ""
	for ; i < len(lines); i++ {
		switch line := lines[i]; {
		case line == "prefix" && section == "", line == "cycle" && section == "prefix":
			section = line
		case line == "  # deadlock: nothing fires" && section == "prefix":
			prefix = append(prefix, Step{Deadlock: true})
		case line == "  # deadlock: nothing fires" && section == "cycle":
			cycle = append(cycle, Step{Deadlock: true})
		case deadForm.MatchString(line) && section != "":
			return prefix, cycle, i + 1, nil
		case strings.HasPrefix(line, "# ") && section != "":
			return prefix, cycle, i, nil
		default:
			m := stepForm.FindStringSubmatch(line)
			if m == nil || section == "" {
				return nil, nil, 0, fmt.Errorf("line %d, %q: it is no step", i+1, cutTo(line))
			}
			s := Step{Transition: m[1], Name: m[3]}
			if m[2] != "" {
				if s.Times, err = strconv.Atoi(m[2]); err != nil {
					return nil, nil, 0, err
				}
			}
			if section == "prefix" {
				prefix = append(prefix, s)
			} else {
				cycle = append(cycle, s)
			}
		}
	}
	if section == "" {
		return nil, nil, 0, fmt.Errorf("a run without its section prefix")
	}
	return prefix, cycle, i, nil
}

package browser

import (
	"bufio"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// MemoryBytes returns the memory of all the browser's processes, and that of the largest one of
// those that show pages. Memory that processes share is counted in parts: the sizes are what
// Linux calls proportional set sizes (proc(5), smaps_rollup). They are 0 where they can't be
// read.
func (b *Browser) MemoryBytes() (all, page float64) {
	for _, process := range family(b.command.Process.Pid) {
		size := proportional(process)
		all += size
		if line, _ := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", process)); strings.Contains(string(line), "--type=renderer") {
			page = max(page, size)
		}
	}
	return all, page
}

// family returns a process with all that it started, and what these started.
func family(root int) []int {
	children := make(map[int][]int)
	files, _ := filepath.Glob("/proc/[0-9]*/stat")
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			continue // it has ended
		}
		// The name, in parentheses, may have spaces in it.
		_, rest, _ := strings.Cut(string(text), ") ")
		fields := strings.Fields(rest)
		pid, err := strconv.Atoi(filepath.Base(filepath.Dir(file)))
		if err != nil || len(fields) < 2 {
			continue
		}
		if parent, err := strconv.Atoi(fields[1]); err == nil {
			children[parent] = append(children[parent], pid)
		}
	}
	list := []int{root}
	for i := 0; i < len(list); i++ {
		list = append(list, children[list[i]]...)
	}
	return list
}

// proportional returns the proportional set size of a process in bytes.
func proportional(pid int) float64 {
	file, err := os.Open(fmt.Sprintf("/proc/%d/smaps_rollup", pid))
	if err != nil {
		return 0
	}
	defer file.Close()
	for s := bufio.NewScanner(file); s.Scan(); {
		fields := strings.Fields(s.Text())
		if len(fields) == 3 && fields[0] == "Pss:" {
			kilobytes, _ := strconv.ParseFloat(fields[1], 64)
			return kilobytes * 1024
		}
	}
	return 0
}

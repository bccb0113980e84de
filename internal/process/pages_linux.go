package process

import (
	"bufio"
	"bytes"
	"os"
	"strconv"
	"strings"
	"sync"
	"syscall"
)

// ForgetProgram takes the program's own code and constants out of the memory that this process
// holds. What is used again is mapped anew from the system's copy of the file, some pages at a
// time, each time in about a microsecond. What only the start has used stays out: of a program with
// many commands that is most of what it holds. It takes less than a millisecond. Where the system
// does not tell what lies where, nothing happens.
//
// Areas that may be written to are left alone, and those in which the loader has put addresses: the
// file does not have them like that. They are looked for once, as the loader is done by then.
func ForgetProgram() {
	for _, a := range programAreas() {
		// If it fails, the pages stay.
		_, _, _ = syscall.Syscall(syscall.SYS_MADVISE, a.first, a.end-a.first, syscall.MADV_DONTNEED)
	}
}

// programAreas returns the areas of the program that can be read from its file again.
var programAreas = sync.OnceValue(func() (areas []area) {
	program, err := os.Readlink("/proc/self/exe")
	if err != nil {
		return nil
	}
	text, err := os.Open("/proc/self/smaps")
	if err != nil {
		return nil
	}
	defer text.Close()
	// Each area is a line with its addresses, followed by lines that tell more of it.
	var last area
	name := []byte(program)
	for lines := bufio.NewScanner(text); lines.Scan(); {
		line := lines.Bytes() // hundreds of them, of which few are made strings
		key, value, _ := bytes.Cut(line, []byte(":"))
		switch {
		case bytes.IndexByte(key, '-') >= 0:
			if last = (area{}); bytes.HasSuffix(line, name) {
				last = programArea(string(line), program)
			}
		case string(key) == "Anonymous" && string(bytes.TrimSpace(value)) == "0 kB" && last.first < last.end:
			areas = append(areas, last)
		}
	}
	return areas
})

// area is from one address to before another.
type area struct{ first, end uintptr }

// programArea reads a line of /proc/self/smaps such as
//
//	00400000-007d7000 r-xp 00000000 fe:00 12   /usr/bin/pnmc
//
// and returns the area if it is one of the program that nobody writes to, or else none.
func programArea(line, program string) area {
	addresses, rest, _ := strings.Cut(line, " ")
	rights, _, _ := strings.Cut(rest, " ")
	if !strings.HasSuffix(line, " "+program) || rights != "r-xp" && rights != "r--p" {
		return area{}
	}
	low, high, _ := strings.Cut(addresses, "-")
	first, errFirst := strconv.ParseUint(low, 16, 64)
	end, errEnd := strconv.ParseUint(high, 16, 64)
	if errFirst != nil || errEnd != nil {
		return area{}
	}
	return area{uintptr(first), uintptr(end)}
}

package process

import (
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// residentFiles returns how many bytes of files this process holds in memory.
func residentFiles(t *testing.T) int {
	t.Helper()
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		t.Skip(err)
	}
	found := regexp.MustCompile(`RssFile:\s+(\d+) kB`).FindSubmatch(status)
	if found == nil {
		t.Skip("the system does not tell how much of files is resident")
	}
	kilobytes, err := strconv.Atoi(string(found[1]))
	if err != nil {
		t.Fatal(err)
	}
	return kilobytes << 10
}

// TestForgetProgram: less of the program is resident, and all of it still works.
func TestForgetProgram(t *testing.T) {
	if _, err := os.Stat("/proc/self/smaps"); err != nil {
		t.Skip(err)
	}
	variable := strings.Repeat("a", 3)
	residentFiles(t) // what it uses itself is there now
	before := residentFiles(t)
	ForgetProgram()
	after := residentFiles(t)
	if after > before*3/4 {
		t.Errorf("%d bytes of files are resident, of %d before", after, before)
	}
	// Constants are read from the file again; what was written is still there.
	if variable != strings.Repeat("a", 3) || programArea("400000-7d7000 r-xp 00000000 fe:00 12 /usr/bin/pnmc", "/usr/bin/pnmc") != (area{0x400000, 0x7d7000}) {
		t.Error("the program has changed")
	}
}

// Areas that may be written to, those of other files, and lines that tell no area, are left alone.
func TestProgramArea(t *testing.T) {
	for _, test := range []struct {
		line     string
		expected area
	}{
		{"00400000-007d7000 r-xp 00000000 fe:00 12   /opt/the tools/pnmc", area{0x400000, 0x7d7000}},
		{"007d7000-00bff000 r--p 003d7000 fe:00 12   /opt/the tools/pnmc", area{0x7d7000, 0xbff000}},
		{"00bff000-00c5a000 rw-p 007fe000 fe:00 12   /opt/the tools/pnmc", area{}},
		{"00bff000-00c5a000 r--s 007fe000 fe:00 12   /opt/the tools/pnmc", area{}},
		{"7f7dd6a00000-7f7dd6b00000 r-xp 00000000 fe:00 3   /usr/lib/libc.so.6", area{}},
		{"c000000000-c000400000 rw-p 00000000 00:00 0", area{}},
		{"Size:               3932 kB", area{}},
		{"", area{}},
	} {
		if found := programArea(test.line, "/opt/the tools/pnmc"); found != test.expected {
			t.Errorf("%q: found %x, expected %x", test.line, found, test.expected)
		}
	}
}

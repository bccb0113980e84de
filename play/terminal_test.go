package play

import (
	"testing"

	"github.com/gdamore/tcell/v2"
)

// parts is a terminal on which parts of texts are pressed.
type parts struct {
	tcell.Tty
	list []string
}

func (p *parts) Read(b []byte) (int, error) {
	if len(p.list) == 0 {
		return 0, nil
	}
	n := copy(b, p.list[0])
	p.list = p.list[1:]
	return n, nil
}

// TestKeyboard: characters are read as they are, also in parts, and other bytes are left out.
func TestKeyboard(t *testing.T) {
	for _, x := range []struct {
		pressed []string
		read    string
	}{
		{[]string{"abc"}, "abc"},
		{[]string{"\xc3", "\xa9q"}, "éq"},
		{[]string{"\xff"}, ""},
		{[]string{"a\xff\xfeb"}, "ab"},
		{[]string{"\xe2\x82", "q"}, "q"},
		{[]string{"\x1b[A\x80\x1b[B"}, "\x1b[A\x1b[B"},
		{[]string{"\xf0\x9d", "", "\x94\xb8"}, "𝔸"},
		{[]string{"\ufffd"}, "\ufffd"},
	} {
		k := &keyboard{Tty: &parts{list: x.pressed}}
		read := ""
		for range len(x.pressed) + 1 {
			b := make([]byte, 128)
			n, err := k.Read(b)
			if err != nil {
				t.Fatal(err)
			}
			read += string(b[:n])
		}
		if read != x.read {
			t.Errorf("%q: read %q, expected %q", x.pressed, read, x.read)
		}
	}
}

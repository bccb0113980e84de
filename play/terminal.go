package play

import (
	"bytes"
	"runtime"
	"unicode/utf8"

	"github.com/gdamore/tcell/v2"
)

// NewScreen returns the screen of the terminal that the process has, ready to be drawn on. Bytes
// that are no text are left out of what is pressed or pasted: package tcell would wait for ever
// for the rest of a character that has none.
func NewScreen() (tcell.Screen, error) {
	screen, err := terminalScreen()
	if err != nil {
		return nil, err
	}
	return screen, screen.Init()
}

func terminalScreen() (tcell.Screen, error) {
	if runtime.GOOS == "windows" { // keys are characters there, not bytes
		return tcell.NewScreen()
	}
	tty, err := tcell.NewDevTty()
	if err != nil {
		return nil, err
	}
	return tcell.NewTerminfoScreenFromTty(&keyboard{Tty: tty})
}

// keyboard is a terminal from which only characters are read.
type keyboard struct {
	tcell.Tty
	begun []byte // the first bytes of a character, whose others are still to come
}

// Read reads characters; those that are not complete yet are kept for the next time.
func (k *keyboard) Read(b []byte) (int, error) {
	n := copy(b, k.begun)
	more, err := k.Tty.Read(b[n:])
	k.begun = k.begun[:0]
	kept, read := 0, b[:n+more]
	for len(read) > 0 {
		r, size := utf8.DecodeRune(read)
		switch {
		case r != utf8.RuneError || size > 1:
			kept += copy(b[kept:], read[:size])
		case !utf8.FullRune(read):
			k.begun = bytes.Clone(read)
			return kept, err
		}
		read = read[size:]
	}
	return kept, err
}

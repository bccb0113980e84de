package history

import (
	"bufio"
	"bytes"
	"fmt"
)

// mostLine bounds the bytes of a line, so that a file that is no journal is not read into memory as one
// line. The longest lines are those of starts, which list questions: a million of them fit in.
const mostLine = 64 << 20

// nextLine returns the next line of a journal with its end, which is there until the next one is read.
// With io.EOF comes what is left, without an end.
func nextLine(r *bufio.Reader) ([]byte, error) {
	line, err := r.ReadSlice('\n')
	if err != bufio.ErrBufferFull {
		return line, err
	}
	whole := bytes.Clone(line)
	for err == bufio.ErrBufferFull {
		if line, err = r.ReadSlice('\n'); len(whole)+len(line) > mostLine {
			return nil, fmt.Errorf("expected lines of at most %d MB, found a longer one", mostLine>>20)
		}
		whole = append(whole, line...)
	}
	return whole, err
}

// settingsLine begins the first line of a journal, which has its settings: the kind of each line comes first.
var settingsLine = []byte(`{"kind":"` + settingsEntry + `"`)

// mayBeSettings reports whether a line that was cut off may have been the first of a journal. What begins
// otherwise is a file of something else, which must not be lost. After a power cut a file may have zeros where
// its text did not get to the disk.
func mayBeSettings(cut []byte) bool {
	cut = bytes.TrimRight(cut, "\x00")
	return bytes.HasPrefix(cut, settingsLine) || bytes.HasPrefix(settingsLine, cut)
}

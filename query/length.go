package query

import (
	"bytes"
	"fmt"

	"pnmc/internal/longtoken"
)

// markup are the beginnings of what may have signs < within, with their ends.
var markup = []struct{ begin, end []byte }{
	{[]byte("<!--"), []byte("-->")},
	{[]byte("<![CDATA["), []byte("]]>")},
	{[]byte("<?"), []byte("?>")},
}

// checkTokens returns an error with position if some token of a document is longer than longtoken.Most. The XML decoder would keep
// it several times, in a buffer that doubles, before anybody could look at it. A tag counts with the text behind it: both end at
// the next sign <. It is linear, and fast beside decoding.
func checkTokens(file string, source []byte) error {
	for at := 0; at < len(source); {
		window := source[at:min(len(source), at+longtoken.Most+1)]
		end := []byte("<") // of a tag and the text behind it
		for _, m := range markup {
			if bytes.HasPrefix(window, m.begin) {
				end = m.end
			}
		}
		length := len(window)
		if i := bytes.Index(window[1:], end); i >= 0 {
			length = 1 + i
			if len(end) > 1 {
				length += len(end)
			}
		}
		if length > longtoken.Most {
			line := 1 + bytes.Count(source[:at], []byte("\n"))
			return fmt.Errorf("%s:%d:%d: %w", file, line, at-bytes.LastIndexByte(source[:at], '\n'), &longtoken.Error{})
		}
		at += length
	}
	return nil
}

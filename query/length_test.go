package query

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"pnmc/internal/longtoken"
)

// TestLongTokens: no token of a file may be longer than longtoken.Most, of whatever kind it is; all others may.
func TestLongTokens(t *testing.T) {
	const (
		head = "<property-set>\n<property><id>p</id><description>"
		tail = "</description><formula><all-paths><globally><deadlock/></globally></all-paths></formula></property></property-set>"
	)
	for _, x := range []struct{ begin, fill, end string }{
		{"", "a", ""}, {"<!--", "a", "-->"}, {"<!--", "<a>", "-->"}, {"<?x ", "a", "?>"}, {"<?x ", "<", "?>"}, {"<![CDATA[", "<b>", "]]>"},
		{"<a b='", "c", "'/>"}, {"<a b='", ">", "'/>"}, {"<", "a", "/>"}, {"<a>", " ", "</a>"},
	} {
		for _, bytes := range []int{longtoken.Most / 2, longtoken.Most + 3} {
			text := head + x.begin + strings.Repeat(x.fill, bytes/len(x.fill)) + x.end + tail
			err := checkTokens("q.xml", []byte(text))
			if tooLong := errors.As(err, new(*longtoken.Error)); tooLong != (bytes > longtoken.Most) {
				t.Errorf("%s%s…%s of %d bytes: %v", x.begin, x.fill, x.end, bytes, err)
			}
			want := "q.xml:2:"
			if err != nil && !strings.HasPrefix(err.Error(), want) {
				t.Errorf("%v does not begin with %s", err, want)
			}
		}
	}
	for _, text := range []string{"", "<", "a", "<!--", "<a><!-- <", "<?", head + tail} {
		if err := checkTokens("q.xml", []byte(text)); err != nil {
			t.Errorf("%q: %v", text, err)
		}
	}
	if _, err := Read("q.xml", fmt.Append(nil, head, strings.Repeat("a", longtoken.Most+1), tail)); !errors.As(err, new(*longtoken.Error)) {
		t.Errorf("read: %v", err)
	}
}

package pnml

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"

	"pnmc/internal/longtoken"
)

// withinNet returns a document with a text among its nodes.
func withinNet(text string) string {
	return `<pnml><net id="n" type="http://www.pnml.org/version-2009/grammar/ptnet"><page id="g">` + text + `</page></net></pnml>`
}

// longTokens are texts with a token of that length, of each kind.
func longTokens(length int) map[string]string {
	x := strings.Repeat("x", length)
	return map[string]string{
		"name":        withinNet("<place id=\"p\"><name><text>" + x + "</text></name></place>"),
		"quoted":      withinNet("<place id=\"p\"><name><text><![CDATA[" + x + "]]></text></name></place>"),
		"identifier":  withinNet("<place id=\"" + x + "\"/>"),
		"comment":     withinNet("<!--" + x + "-->"),
		"blanks":      withinNet(strings.Repeat(" ", length)),
		"instruction": withinNet("<?a " + x + "?>"),
		"directive":   "<!DOCTYPE " + x + ">" + withinNet(""),
		"converted":   "<?xml version=\"1.0\" encoding=\"ISO-8859-1\"?>" + withinNet("<!--"+x+"-->"),
	}
}

// TestLongTokensAreAskedFor: each token that is long is asked for, whatever it is, and the reason why
// there is no room ends the reading. Where there is room it is read as a short one is.
func TestLongTokensAreAskedFor(t *testing.T) {
	const length = 1 << 20
	full := errors.New("full")
	for name, text := range longTokens(length) {
		asked := 0
		reader := Reader{Limit: func(bytes int) error { asked = max(asked, bytes); return nil }}
		if _, err := reader.Read(strings.NewReader(text), "f"); err != nil || asked < 2*length {
			t.Errorf("%s: asked for %d bytes, %v", name, asked, err)
		}
		reader.Limit = func(bytes int) error {
			if bytes < length {
				return nil
			}
			return full
		}
		if _, err := reader.Read(strings.NewReader(text), "f"); !errors.Is(err, full) {
			t.Errorf("%s: %v, expected that there is no room", name, err)
		}
	}
}

// TestTooLongTokens: no token is longer than the most, and the error says where it begins.
func TestTooLongTokens(t *testing.T) {
	if testing.Short() {
		t.Skip("reads much")
	}
	for name, text := range longTokens(longtoken.Most) {
		_, err := Reader{}.Read(strings.NewReader(text), "f")
		var long *longtoken.Error
		if !errors.As(err, &long) || !strings.HasPrefix(err.Error(), "f:1:") {
			t.Errorf("%s: %.200v", name, err)
		}
	}
}

// TestWhatIsNoToken: zeros end the reading at once, and so do tags that would become large in memory,
// or messages that name them.
func TestWhatIsNoToken(t *testing.T) {
	for text, want := range map[string]string{
		"\x00":                  "f:1:1: a zero byte",
		withinNet("\n<!--\x00"): "f:2:5: a zero byte",
		"<?xml version=\"1.0\" encoding=\"ISO-8859-1\"?>\x00":        "a zero byte",
		withinNet("\n<" + strings.Repeat("x", maxTag+1) + "/>"):      "f:2:1: element",
		withinNet("\n<place" + strings.Repeat(" a=\"\"", 1<<20)):     fmt.Sprintf("f:2:1: a tag with more than %d signs =", mostEquals),
		withinNet("<" + strings.Repeat("x", 1<<16) + "></y></page>"): "f:1:",
	} {
		_, err := Reader{}.Read(io.MultiReader(strings.NewReader(text), endlessZeros{}), "f")
		if err == nil || !strings.Contains(err.Error(), want) || len(err.Error()) > 500 {
			t.Errorf("%.40q: %.300v, want %s", text, err, want)
		}
	}
	signs := withinNet("<!--" + strings.Repeat("=", 1<<20) + "-->") // which are no attributes
	if _, err := (Reader{}).Read(strings.NewReader(signs), "f"); err != nil {
		t.Errorf("signs in a comment: %v", err)
	}
}

// endlessZeros is what the device of zeros gives.
type endlessZeros struct{}

// Read gives zeros.
func (endlessZeros) Read(p []byte) (int, error) {
	clear(p)
	return len(p), nil
}

// TestListsOfUnitsAreAskedFor: the words of a unit's list take more memory than its text, and are asked
// for one after the other.
func TestListsOfUnitsAreAskedFor(t *testing.T) {
	const words = 1 << 10
	text := `<pnml xmlns="http://www.pnml.org/version-2009/grammar/pnml"><net id="n" type="http://www.pnml.org/version-2009/grammar/ptnet">` +
		`<toolspecific tool="nupn" version="1.1"><structure units="1" root="u"><unit id="u"><places>` + strings.Repeat("p ", words) +
		`</places><subunits>` + strings.Repeat("v ", words) + `</subunits></unit></structure></toolspecific><page id="g"><place id="p"/></page></net></pnml>`
	full := errors.New("full")
	for _, most := range []int{0, words - 1, words, 2*words - 1} {
		asked := 0
		reader := Reader{Limit: func(int) error {
			if asked++; asked > most {
				return full
			}
			return nil
		}}
		if _, err := reader.Read(strings.NewReader(text), "f"); !errors.Is(err, full) {
			t.Errorf("%d asked for, of %d: %v", asked, most, err)
		}
	}
}

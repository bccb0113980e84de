// Package form checks that texts which pnmc writes are whole and have the form that
// they should have.
//
// In come automata in HOA, drawings, nets in several formats, tables, pages and lines of
// JSON; out goes what is wrong with the first line that is. A reader takes more than a
// writer writes: these checks ask for exactly what pnmc writes, line by line, so that a
// line that was cut in the middle is found. Nothing here is shared with pnmc.
//
// The files:
//
//	form       lines, JSON, XML
//	automata   automata in HOA
//	drawing    drawings for Graphviz
//	nets       nets for Tina, LoLA and ITS-Tools, and tables of LTSmin
//	report     the tables that batch, bench and cross print
//	comparison what the report of cross must tell
package form

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"encoding/xml"
	"fmt"
	"io"
	"slices"
	"strings"
)

// Ended checks that the last line of a text has its end.
func Ended(text []byte) error {
	if len(text) > 0 && text[len(text)-1] != '\n' {
		return fmt.Errorf("its last line is cut: %q", text[max(0, len(text)-60):])
	}
	return nil
}

// Nothing checks that there is no text.
func Nothing(text []byte) error {
	if len(text) > 0 {
		return fmt.Errorf("there should be nothing, not %q", text[:min(len(text), 60)])
	}
	return nil
}

// Lines checks each line of a text, and the end of the last one.
func Lines(check func(line string) error) func(text []byte) error {
	return func(text []byte) error {
		for line := range bytes.Lines(text) {
			if err := check(strings.TrimSuffix(string(line), "\n")); err != nil {
				return fmt.Errorf("line %q: %w", line[:min(len(line), 200)], err)
			}
		}
		return Ended(text)
	}
}

// Object returns a check that a line is one object of JSON with all the keys that are
// required, separated by spaces, and no others than the optional ones.
func Object(required, optional string) func(line string) error {
	return func(line string) error {
		var object map[string]json.RawMessage // numbers may have thousands of digits
		if err := json.Unmarshal([]byte(line), &object); err != nil {
			return err
		}
		allowed := strings.Fields(optional)
		for _, key := range strings.Fields(required) {
			if _, is := object[key]; !is {
				return fmt.Errorf("it has no %q", key)
			}
			allowed = append(allowed, key)
		}
		for key := range object {
			if !slices.Contains(allowed, key) {
				return fmt.Errorf("it has %q, which it should not have", key)
			}
		}
		return nil
	}
}

// JSON checks that a line is an object of JSON.
func JSON(line string) error { return anyObject([]byte(line)) }

func anyObject(text []byte) error {
	var object map[string]json.RawMessage
	return json.Unmarshal(text, &object)
}

// JSONLines checks that a text is one object of JSON a line.
func JSONLines(text []byte) error { return Lines(JSON)(text) }

// JSONText checks that a text is one object of JSON.
func JSONText(text []byte) error {
	if err := anyObject(text); err != nil {
		return err
	}
	return Ended(text)
}

// Table checks that a text is comma-separated values with whole lines, each of which has
// as many as the first.
func Table(text []byte) error {
	if _, err := csv.NewReader(bytes.NewReader(text)).ReadAll(); err != nil {
		return err
	}
	return Ended(text)
}

// document checks that a text is XML to its end, with this root.
func document(text []byte, root string) error {
	for d, depth := xml.NewDecoder(bytes.NewReader(text)), 0; ; {
		token, err := d.Token()
		if err == io.EOF {
			return Ended(text)
		} else if err != nil {
			return fmt.Errorf("it is no XML: %w", err)
		}
		switch t := token.(type) {
		case xml.StartElement:
			if depth == 0 && t.Name.Local != root {
				return fmt.Errorf("its root is <%s>, expected <%s>", t.Name.Local, root)
			}
			depth++
		case xml.EndElement:
			depth--
		}
	}
}

// PNML checks that a text is a net in PNML to its end.
func PNML(text []byte) error {
	if !bytes.HasSuffix(text, []byte("</pnml>\n")) {
		return fmt.Errorf("it does not end with </pnml>")
	}
	return document(text, "pnml")
}

// Picture checks that a text is a picture in SVG to its end.
func Picture(text []byte) error {
	if !bytes.HasSuffix(bytes.TrimSpace(text), []byte("</svg>")) {
		return fmt.Errorf("it does not end with </svg>")
	}
	return document(text, "svg")
}

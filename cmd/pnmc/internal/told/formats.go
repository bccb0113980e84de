package told

import (
	"encoding/json"
	"io"

	"github.com/urfave/cli/v2"

	"pnmc/cmd/pnmc/internal/exit"
)

// The formats of runs.
const (
	Text = "text"
	JSON = "json"
	HTML = "html"
)

// RunFormats are all of them.
var RunFormats = []string{Text, JSON, HTML}

// FormatFlag says whether answers are text or JSON.
func FormatFlag() cli.Flag {
	return &cli.StringFlag{Name: "format", Value: "text", Usage: "print `text` or json"}
}

// CheckFormat refuses formats that don't exist.
func CheckFormat(c *cli.Context) error {
	if f := c.String("format"); f != "text" && f != "json" {
		return exit.UsageError("--format: expected text or json, found %q", f)
	}
	return nil
}

// WriteJSON writes v, which has no run, on a line, with formulas as they are: not escaped for a web
// page.
func WriteJSON(w io.Writer, v any) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	return e.Encode(v)
}

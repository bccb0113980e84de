package experiment

import (
	_ "embed"
	"html/template"
	"io"
	"strings"

	"pnmc/internal/tables"
)

//go:embed report.html
var reportText string

// reportPage is the data of the template.
type reportPage struct {
	Records        []Record
	Unlisted       int
	Tables, Policy string
	Style          template.CSS
	Script         template.JS
	link           func(Record) string
}

// Link returns a link to the run that violates the property of a record, or empty.
func (p *reportPage) Link(r Record) string {
	if r.Verdict != violated {
		return ""
	}
	return p.link(r)
}

// mostReported bounds the measurements that a report lists.
const mostReported = 20_000

// WriteReport writes the records as a page whose table sorts and filters, with the text of
// the tables above it. Link is a link to the run that violates a property, or empty. The
// page loads nothing.
func WriteReport(w io.Writer, records []Record, text string, link func(Record) string) error {
	t, err := template.New("report").Parse(reportText)
	if err != nil {
		return err
	}
	p := &reportPage{Records: latest(records), Tables: strings.TrimSpace(text), Policy: tables.Policy(),
		Style: tables.Style, Script: template.JS(tables.Script), link: link}
	if n := len(p.Records); n > mostReported {
		p.Records, p.Unlisted = p.Records[:mostReported], n-mostReported
	}
	return t.Execute(w, p)
}

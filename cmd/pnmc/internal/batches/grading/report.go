package grading

import (
	"cmp"
	_ "embed"
	"fmt"
	"html/template"
	"io"
	"net/url"
	"slices"
	"time"

	"pnmc/internal/lazy"
	"pnmc/internal/tables"
	"pnmc/mcc"
	"pnmc/mcc/batch/history"
)

//go:embed report.html
var reportText string

// reportTemplate is made when a report is written.
var reportTemplate = lazy.Value[*template.Template]{Make: func() *template.Template {
	return template.Must(template.New("report").Funcs(template.FuncMap{
		"seconds":   func(s float64) string { return fmt.Sprintf("%.2f", s) },
		"points":    func(p float64) string { return fmt.Sprintf("%.0f", p) },
		"percent":   func(c Score) string { return fmt.Sprintf("%.1f", c.Percent()) },
		"megabytes": megabytes,
		"short":     short,
		"count":     count,
		"link":      func(i Item, link string) linkedItem { return linkedItem{i, link} },
		"row":       func(c Score, rated bool) scoreRow { return scoreRow{c, rated} },
	}).Parse(reportText))
}}

// megabytes returns a size in a table, where it is known.
func megabytes(bytes int64) string {
	if bytes == 0 {
		return "–"
	}
	return fmt.Sprint(bytes >> 20)
}

// short returns a value that fits into a cell: those of state spaces have hundreds of
// digits.
func short(value string) string {
	if len(value) <= 24 {
		return value
	}
	return fmt.Sprintf("%s…%s (%d digits)", value[:10], value[len(value)-6:], len(value))
}

// count returns a number of things, in words.
func count(n int, thing string) string {
	if n != 1 {
		thing += "s"
	}
	return fmt.Sprintf("%d %s", n, thing)
}

// scoreRow is a score in the table of examinations; Rated reports whether right answers
// were given to compare with.
type scoreRow struct {
	Score Score
	Rated bool
}

// linkedItem is an answer with a link to the page that shows it, or an empty one.
type linkedItem struct {
	Item Item
	Link string
}

// cell is that of a family's score in an examination.
type cell struct {
	Score
	Shade template.CSS
}

// reportData is what the template shows.
type reportData struct {
	*Summary
	Total                   Score
	Limits, Made            string
	Examinations            []string
	Families                []familyRow
	Cactus                  template.HTML
	Wrong, Missing          []Item
	Slowest, Largest        *history.Run
	Badly                   []*history.Run // ended by a limit, an error, or not at all
	Instances, OverTheLimit int
	Contradictory           []contradiction
	Machines                []machine
	Shown                   []Item // answers that a page shows
	Unlisted                int    // more of them
	Style                   template.CSS
	Script                  template.JS
	Policy                  string
	page                    func(history.Job) string
}

// Page returns a link to the page that shows the answers of a run, or empty.
func (d *reportData) Page(j history.Job) string { return d.page(j) }

// Link returns a link to an answer on such a page, or empty.
func (d *reportData) Link(i Item) string {
	page := d.page(i.Job)
	if page == "" {
		return ""
	}
	return page + "#" + url.PathEscape(i.Question)
}

// mostListed bounds the answers that a report lists: a browser shows a table of so many.
const mostListed = 20_000

// familyRow is a row of the table of families by examinations.
type familyRow struct {
	Name  string
	Cells []cell
	Total Score
}

// WriteReport writes the report as one page of HTML that refers to nothing else. Made is
// the time of the report. Page, unless nil, is a link to the page that shows the answers of
// a run, or empty.
func (s *Summary) WriteReport(w io.Writer, made time.Time, page func(history.Job) string) error {
	if page == nil {
		page = func(history.Job) string { return "" }
	}
	svg, err := s.Cactus()
	if err != nil {
		return err
	}
	d := reportData{
		Summary: s, Total: s.Total(), Made: made.Format("2006-01-02 15:04"),
		Cactus: template.HTML(svg), Wrong: s.Graded(Wrong), Missing: s.Graded(Missing),
		Limits:        fmt.Sprintf("%d s and %d MB for each run", s.Settings.Seconds, s.Settings.MemoryBytes>>20),
		Contradictory: s.Contradictions(), page: page,
		Style: tables.Style, Script: template.JS(tables.Script), Policy: tables.Policy(),
	}
	for _, i := range s.Items {
		if i.Grade == Missing || page(i.Job) == "" {
			continue
		}
		if len(d.Shown) == mostListed {
			d.Unlisted++
			continue
		}
		d.Shown = append(d.Shown, i)
	}
	instances := make(map[string]bool)
	for _, r := range s.Runs {
		instances[r.Instance] = true
		if d.Slowest == nil || r.Seconds > d.Slowest.Seconds {
			d.Slowest = r
		}
		if d.Largest == nil || r.PeakBytes > d.Largest.PeakBytes {
			d.Largest = r
		}
		if r.Ending() != "by itself" {
			d.Badly = append(d.Badly, r)
		}
		if r.Seconds > float64(s.Settings.Seconds) {
			d.OverTheLimit++
		}
	}
	d.Instances, d.Machines = len(instances), s.machines()
	d.Examinations, d.Families = s.families()
	return reportTemplate.Get().Execute(w, &d)
}

// families returns the rows of the table of families by examinations.
func (s *Summary) families() (examinations []string, rows []familyRow) {
	scores := s.by(func(j history.Job) string { return j.Family() + "/" + j.Examination })
	for _, c := range s.ByExamination() {
		examinations = append(examinations, c.Name)
	}
	slices.SortStableFunc(examinations, func(a, b string) int {
		return cmp.Compare(slices.Index(mcc.Examinations(), a), slices.Index(mcc.Examinations(), b))
	})
	for _, f := range s.ByFamily() {
		row := familyRow{Name: f.Name, Total: f}
		for _, e := range examinations {
			c := scores[f.Name+"/"+e]
			row.Cells = append(row.Cells, cell{c, shade(c)})
		}
		rows = append(rows, row)
	}
	return examinations, rows
}

// shade returns the colour of a cell: red where something is wrong, else from white to
// green with the part that is answered.
func shade(c Score) template.CSS {
	switch {
	case c.Asked == 0:
		return ""
	case c.Wrong > 0:
		return "background:#b3261e;color:#fff"
	}
	light := 96 - int(0.18*c.Percent())
	if c.Percent() == 0 {
		return "background:#f4e3c8;color:#1d2733"
	}
	return template.CSS(fmt.Sprintf("background:hsl(145,45%%,%d%%);color:#1d2733", light))
}

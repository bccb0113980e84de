package grading

import (
	"encoding/csv"
	"fmt"
	"io"
	"strconv"
	"text/tabwriter"
)

// WriteAnswers writes a line of comma-separated values for each question.
func (s *Summary) WriteAnswers(w io.Writer) error {
	c := csv.NewWriter(w)
	rows := [][]string{{"instance", "examination", "question", "expected", "answered", "grade", "seconds", "techniques"}}
	for _, i := range s.Items {
		seconds := ""
		if i.Grade != Missing {
			seconds = strconv.FormatFloat(i.Seconds, 'f', 3, 64)
		}
		rows = append(rows, []string{i.Instance, i.Examination, i.Question, i.Expected, i.Value, i.Grade.String(), seconds, i.Techniques})
	}
	return c.WriteAll(rows)
}

// WriteRuns writes a line of comma-separated values for each run: seconds and
// megabytes are those of its whole process, host and processor where it ran.
func (s *Summary) WriteRuns(w io.Writer) error {
	c := csv.NewWriter(w)
	rows := [][]string{{"instance", "examination", "questions", "answers", "seconds", "peak_megabytes", "end", "host", "processor"}}
	for _, r := range s.Runs {
		seconds, megabytes := "", "" // are not known of a run that was interrupted
		if r.Ended {
			seconds, megabytes = strconv.FormatFloat(r.Seconds, 'f', 3, 64), strconv.FormatInt(r.PeakBytes>>20, 10)
		}
		rows = append(rows, []string{r.Instance, r.Examination, strconv.Itoa(len(r.Questions)), strconv.Itoa(len(r.Answers)), seconds, megabytes, r.Ending(), r.Host, r.Processor})
	}
	return c.WriteAll(rows)
}

// WriteScores writes the scores of examinations as a table for reading.
func (s *Summary) WriteScores(w io.Writer) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(t, "examination\tasked\tright\twrong\tmissing\tunrated\tpoints\tof\tseconds\t")
	for _, c := range append(s.ByExamination(), s.Total()) {
		fmt.Fprintf(t, "%s\t%d\t%d\t%d\t%d\t%d\t%.0f\t%.0f\t%.1f\t\n",
			c.Name, c.Asked, c.Right, c.Wrong, c.Missing, c.Unrated, c.Points, c.MostPoints, c.Seconds)
	}
	return t.Flush()
}

package chamber

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"pnmc/internal/torture/draw"
	"pnmc/internal/torture/form"
)

// ownMemory is what batch may use beside its runs.
const ownMemory = 40 << 20

// batch runs the command of that name on a folder with one instance: as a folder or as an archive,
// with right answers to compare with or without, and perhaps again, after something was damaged.
func (d *drawing) batch() {
	net := d.net()
	examinations := []string{draw.Pick(d.Source, withFile...), draw.Pick(d.Source, append(global, "StateSpace")...)}
	asked := d.instance("models/Drawn-PT-1/", net, examinations...)
	whole := true
	if d.Chance(0.25) {
		whole = d.archive("models/Drawn-PT-1")
	}
	jobs := d.Between(1, 2)
	d.argue("batch", "models", "--examinations", strings.Join(examinations, ","), "--jobs", fmt.Sprint(jobs), "--out", "results")
	seconds := d.Between(1, 2)
	d.argue("--time", fmt.Sprint(seconds), "--memory", fmt.Sprintf("%dMB", d.megabytes()))
	d.Group = int64(jobs)*d.Memory + ownMemory
	d.Time = time.Duration(2*seconds/jobs) * time.Second
	long := strings.HasSuffix(d.Kind, "-long") // may be read for as long as it is then asked about
	if long || d.Chance(0.3) {
		limit := time.Duration(d.Magnitude(100, 3000)) * time.Millisecond
		d.argue("--total-timeout", limit.String())
		if whole = false; long || limit < d.Time {
			d.Time = limit
		}
	}
	d.output("results/batch.json", form.JSONLines)
	d.output("results/journal.jsonl", form.JSONLines)
	d.output("results/answers.csv", form.Table)
	d.output("results/runs.csv", form.Table)
	d.output("results/report.html", form.Page)
	if d.Chance(0.4) {
		d.argue("--pages")
		d.output("results/pages/", form.Page)
	}
	judged := d.Chance(0.2)
	if judged {
		d.oracle(examinations, asked)
	}
	spoiled := d.again("results/journal.jsonl", "results/batch.json")
	d.Stdout = func(o *Outcome) error { return form.Report("batch")(o.Stdout) }
	d.Verdict = func(o *Outcome) (list []string) {
		if spoiled {
			return nil
		}
		if o.Code == 1 && !judged {
			list = append(list, "wrong verdict: answers contradict one another: "+firstLine(string(o.Stdout)))
		}
		list = append(list, o.pagesIn("results/pages", net.Twin, nil)...)
		return append(list, d.wrongJournal(o, net, examinations, asked, whole)...)
	}
}

// entry is a line of a journal.
type entry struct {
	Kind, Examination, Question, Value, Fault string
	Questions                                 []string
}

// wrongJournal says what is wrong with the journal of a batch and with its tables: each examination
// has ended once, each answer is there once, in the journal and in the table, and is right. Where a file could not be
// read, as a formula is too long, the next run of the command begins the examination anew, and only its answers are in the table.
// After an interruption those of both are, each once. What is easy has an answer.
func (d *drawing) wrongJournal(o *Outcome, net *draw.Net, examinations []string, asked map[string]draw.Question, whole bool) (list []string) {
	text, err := o.file("results/journal.jsonl")
	if err != nil {
		if o.Code <= 1 {
			list = append(list, err.Error())
		}
		return list
	}
	if was := d.was["results/journal.jsonl"]; !bytes.HasPrefix(text, was) {
		list = append(list, "lost answers: the journal does not begin with what was there before")
	}
	given, ends, unread := map[string][]verdict{}, map[string]int{}, map[string]bool{}
	before, open := map[string][]verdict{}, map[string]bool{} // answers of a run that did not end, which the next run may give again
	wrong := func(examination string) {
		answers := given[examination]
		list = append(append(list, doubled(answers, nil)...), wrongAnswers(net, examination, asked, answers)...)
	}
	for line := range bytes.Lines(text) {
		var e entry
		if json.Unmarshal(line, &e) != nil {
			continue
		}
		switch e.Kind {
		case "start":
			if unread[e.Examination] {
				wrong(e.Examination)
				given[e.Examination] = nil
			}
			if before[e.Examination] = nil; open[e.Examination] {
				before[e.Examination] = slices.Clone(given[e.Examination])
			}
			open[e.Examination] = true
		case "answer":
			v := verdict{e.Question, e.Value}
			if i := slices.Index(before[e.Examination], v); i >= 0 {
				before[e.Examination] = slices.Delete(before[e.Examination], i, i+1)
			} else {
				given[e.Examination] = append(given[e.Examination], v)
			}
		case "end":
			ends[e.Examination]++
			open[e.Examination] = false
			unread[e.Examination] = e.Fault == "unread"
		}
	}
	for _, examination := range examinations {
		if ends[examination] != 1 && o.Code <= 1 && whole {
			list = append(list, fmt.Sprintf("lost answers: %s has ended %d times", examination, ends[examination]))
		}
	}
	for _, examination := range slices.Sorted(maps.Keys(given)) {
		wrong(examination)
	}
	if whole && o.Code <= 1 && d.isEasy(net) {
		for _, examination := range examinations {
			list = append(list, unanswered(net, examination, asked, namesOf(examination, asked), given[examination])...)
		}
	}
	if o.Code > 1 {
		return list
	}
	for _, name := range []string{"batch.json", "answers.csv", "runs.csv", "report.html"} {
		if _, err := o.file("results/" + name); err != nil {
			list = append(list, err.Error())
		}
	}
	return append(list, wrongTable(o, given)...)
}

// wrongTable says in what the table of answers differs from the journal.
func wrongTable(o *Outcome, given map[string][]verdict) (list []string) {
	text, _ := o.file("results/answers.csv")
	rows, err := csv.NewReader(bytes.NewReader(text)).ReadAll()
	if err != nil || len(rows) == 0 {
		return []string{fmt.Sprintf("answers.csv: %d rows: %v", len(rows), err)}
	}
	left := map[string]int{}
	for examination, answers := range given {
		for _, v := range answers {
			left[examination+" "+v.name+" "+v.value]++
		}
	}
	column := map[string]int{}
	for i, name := range rows[0] {
		column[name] = i
	}
	for _, row := range rows[1:] {
		if value := row[column["answered"]]; value != "" && value != "CANNOT_COMPUTE" {
			left[row[column["examination"]]+" "+row[column["question"]]+" "+value]--
		}
	}
	for answer, n := range left {
		if n != 0 && !strings.HasSuffix(answer, " CANNOT_COMPUTE") {
			list = append(list, fmt.Sprintf("answers.csv has %q %d times too few", answer, n))
		}
	}
	return list
}

// archive packs the files of a folder as the contest does, and reports whether the archive is whole.
func (d *drawing) archive(folder string) bool {
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	w := tar.NewWriter(z)
	for _, name := range slices.Sorted(maps.Keys(d.Files)) {
		inside, is := strings.CutPrefix(name, "models/")
		if !is {
			continue
		}
		_ = w.WriteHeader(&tar.Header{Name: inside, Mode: 0o644, Size: int64(len(d.Files[name])), Format: tar.FormatUSTAR}) // to memory
		_, _ = w.Write(d.Files[name])
		delete(d.Files, name)
	}
	whole := !d.Chance(0.1)
	if !whole {
		for i := range d.Magnitude(1, 100_000) {
			_ = w.WriteHeader(&tar.Header{Name: fmt.Sprintf("Drawn-PT-1/%d", i), Format: tar.FormatUSTAR})
		}
	}
	_ = w.Close()
	_ = z.Close()
	text := b.Bytes()
	if whole = whole && d.Chance(0.6); !whole && d.Chance(0.8) {
		text = draw.Damage(d.Source, text)
	}
	d.file(folder+".tgz", text)
	return whole
}

// oracle gives answers to compare with, right or wrong or no answers at all, as a folder of files
// or as a table.
func (d *drawing) oracle(examinations []string, asked map[string]draw.Question) {
	var b strings.Builder
	value := func() string { return draw.Pick(d.Source, "TRUE", "FALSE", "1", "+inf", "?", "-3") }
	ids := slices.Sorted(maps.Keys(asked))
	if d.Chance(0.5) {
		b.WriteString("instance,examination,verdicts\n")
		for _, x := range examinations {
			fmt.Fprintf(&b, "Drawn-PT-1,%s,%s\n", x, strings.Repeat(draw.Pick(d.Source, "T", "F", "?", "3 "), 1+len(ids)))
		}
		text := []byte(b.String())
		if d.Chance(0.3) {
			text = draw.Damage(d.Source, text)
		}
		d.argue("--oracle", d.file("oracle.csv", text))
		return
	}
	for _, x := range examinations {
		fmt.Fprintf(&b, "Drawn-PT-1 %s\n", x)
		for _, id := range ids {
			fmt.Fprintf(&b, "FORMULA %s %s TECHNIQUES EXPLICIT\n", id, value())
		}
	}
	text := []byte(b.String())
	if d.Chance(0.3) {
		text = draw.Damage(d.Source, text)
	}
	d.file("oracle/Drawn-PT-1.out", text)
	d.argue("--oracle", "oracle")
}

// again lets the same command run before, sometimes, and damages files that it left, or none. It
// reports whether they are damaged.
func (d *drawing) again(names ...string) (spoiled bool) {
	if d.Before = d.Chance(0.25); !d.Before {
		return false
	}
	if spoiled = d.Chance(0.6); spoiled {
		s := draw.New(d.Seed+1, d.Number)
		d.Spoil = map[string]func([]byte) []byte{draw.Pick(d.Source, names...): func(text []byte) []byte { return draw.Damage(s, text) }}
	}
	return spoiled
}

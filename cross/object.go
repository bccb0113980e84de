package cross

import (
	"encoding/json"
	"io"

	"pnmc/internal/jsontext"
)

// WriteJSON writes the report as one JSON object, in indented lines. Words and runs are written letter
// by letter and step by step, as they may be much longer than all names in them.
func (r *Report) WriteJSON(w io.Writer) error {
	o := &object{Writer: jsontext.New(w, true), indent: "  "}
	o.key("translators", r.Translators)
	list(o, "rows", r.Rows, func(row *Row) { o.value(row, "    ") })
	list(o, "differences", r.Differences, func(d *Difference) { d.writeJSON(o.Writer) })
	o.key("compared", r.Compared)
	o.key("checks", r.Checks)
	o.key("skipped", r.Skipped)
	if len(r.SkipReasons) > 0 {
		o.key("skip_reasons", r.SkipReasons)
	}
	o.end()
	o.Raw("\n")
	return o.Flush()
}

// writeJSON writes a difference as an element of the report's list.
func (d *Difference) writeJSON(j *jsontext.Writer) {
	o := &object{Writer: j, indent: "      "}
	o.key("number", d.Number)
	o.text("name", d.Name, d.Name != "")
	o.text("formula", d.Formula, true)
	o.key("check", d.Check)
	o.key("detail", d.Detail)
	o.key("left", d.Left)
	o.key("right", d.Right)
	if d.Word != nil {
		o.long("word", d.Word)
	}
	if d.Satisfied != nil {
		o.key("satisfied", d.Satisfied)
	}
	if len(d.Wrong) > 0 {
		o.key("wrong", d.Wrong)
	}
	if d.Run != nil {
		o.name("run")
		run := &object{Writer: j, indent: "        "}
		run.steps("prefix", d.Run.Prefix)
		run.steps("cycle", d.Run.Cycle)
		run.end()
	}
	o.text("minimal", d.Minimal, d.Minimal != "")
	o.text("minimal_check", d.MinimalCheck, d.MinimalCheck != "")
	if d.MinimalWord != nil {
		o.long("minimal_word", d.MinimalWord)
	}
	if len(d.LeftOut) > 0 {
		o.key("left_out", d.LeftOut)
	}
	o.end()
}

// object is an object in indented lines, as encoding/json writes it.
type object struct {
	*jsontext.Writer
	indent string // of its keys
	begun  bool
}

// name begins the value of a key.
func (o *object) name(key string) {
	if o.begun {
		o.Raw(",")
	} else {
		o.Raw("{")
	}
	o.begun = true
	o.Raw("\n" + o.indent + `"` + key + `": `)
}

// end ends the object, which has a key.
func (o *object) end() { o.Raw("\n" + o.indent[2:] + "}") }

// key writes a key with a value that is small.
func (o *object) key(key string, v any) {
	o.name(key)
	o.value(v, o.indent)
}

// value writes a value that is small, with an indentation for the lines after its first.
func (o *object) value(v any, indent string) {
	text, err := json.MarshalIndent(v, indent, "  ")
	if err != nil {
		panic(err) // rows, numbers and texts have a text
	}
	o.Raw(string(text))
}

// text writes a key with a text of any length, unless there is none.
func (o *object) text(key, text string, there bool) {
	if there {
		o.name(key)
		o.String(text)
	}
}

// long writes a key with a text that is not held.
func (o *object) long(key string, v io.WriterTo) {
	o.name(key)
	o.StringBy(func(w io.Writer) error {
		_, err := v.WriteTo(w)
		return err
	})
}

// steps writes a key with a list of texts.
func (o *object) steps(key string, steps []string) {
	if steps == nil {
		o.key(key, nil)
		return
	}
	list(o, key, steps, o.String)
}

// list writes a key with a list, whose elements write writes, until the first error.
func list[E any](o *object, key string, elements []E, write func(E)) {
	o.name(key)
	before := "["
	for _, e := range elements {
		o.Raw(before + "\n" + o.indent + "  ")
		if write(e); o.Err() != nil {
			return
		}
		before = ","
	}
	if len(elements) == 0 {
		o.Raw("[]")
		return
	}
	o.Raw("\n" + o.indent + "]")
}

package view

import (
	"bytes"
	"context"
	"embed"
	"fmt"
	"html"
	"io"
	"regexp"
	"strings"

	"pnmc/internal/lazy"
	"pnmc/internal/policy"
)

// page has what the browser runs; a file is read when a page is written, not before.
//
//go:embed page
var page embed.FS

// scripts are the parts of the page's script, in their order: libraries, then what uses them.
var scripts = []string{
	"vendor/d3-color.min.js", "vendor/d3-dispatch.min.js", "vendor/d3-ease.min.js", "vendor/d3-timer.min.js",
	"vendor/d3-selection.min.js", "vendor/d3-interpolate.min.js", "vendor/d3-drag.min.js",
	"vendor/d3-transition.min.js", "vendor/d3-zoom.min.js", "vendor/d3-quadtree.min.js", "vendor/d3-force.min.js", "vendor/dagre.min.js",
	"elements.js", "data.js", "player.js", "layout.js", "net.js", "automaton.js", "lasso.js", "panels.js", "page.js",
}

// sourceMap is where a library says that its source is, which is not there.
var sourceMap = lazy.Value[*regexp.Regexp]{Make: func() *regexp.Regexp {
	return regexp.MustCompile(`(?m)^//# sourceMappingURL=.*$`)
}}

// Page writes a page. Each answer is whole once it is added: HTML needs no end, so that the
// page can be opened wherever writing stops.
type Page struct {
	w     io.Writer
	net   *Net
	begun bool
	ctx   context.Context // within which answers are made
}

// NewPage returns a page of a net. Nothing is written before the first answer, or Close.
func NewPage(w io.Writer, net *Net) *Page { return &Page{w: w, net: net, ctx: context.Background()} }

// Within limits what is made from now on. An automaton's run that is not found within ctx is not
// shown, nor is a run that can't be fired again within it. If there is no time or memory for the net
// itself, Add and Close return the reason, and write nothing.
func (p *Page) Within(ctx context.Context) { p.ctx = ctx }

// Begun reports whether something of the page is written.
func (p *Page) Begun() bool { return p.begun }

// Add writes an answer, in one write. The error is that of writing, or says that a run
// does not fire.
func (p *Page) Add(a *Answer) error {
	w := newWriter(p.ctx)
	if err := p.begin(w); err != nil {
		return err
	}
	w.size = 0
	block, err := p.net.answerBlock(a, w)
	if err != nil && context.Cause(p.ctx) != nil {
		w.Meter, w.size = newWriter(context.Background()).Meter, 0
		block, err = p.net.answerBlock(a.withoutRuns(err), w)
	}
	if err != nil {
		return err
	}
	if err := w.data("answer", block); err != nil {
		return err
	}
	return p.write(w)
}

// Close writes the net, if no answer came. It does not close the writer.
func (p *Page) Close() error {
	w := newWriter(p.ctx)
	if err := p.begin(w); err != nil || w.Len() == 0 {
		return err
	}
	return p.write(w)
}

// write writes what was made, and notes that the page has begun.
func (p *Page) write(w *writer) error {
	_, err := p.w.Write(w.Bytes())
	p.begun = true
	return err
}

// begin makes what comes before the answers, unless it is written.
func (p *Page) begin(w *writer) error {
	if p.begun {
		return nil
	}
	var script bytes.Buffer
	for _, name := range scripts {
		text, err := page.ReadFile("page/" + name)
		if err != nil {
			return err
		}
		if licence, err := page.ReadFile("page/" + strings.TrimSuffix(name, ".min.js") + ".LICENSE"); err == nil {
			fmt.Fprintf(&script, "/*! %s\n%s*/\n", strings.TrimSuffix(name, ".min.js"), licence)
		}
		script.Write(sourceMap.Get().ReplaceAll(text, nil))
		script.WriteString("\n")
	}
	style, err := page.ReadFile("page/page.css")
	if err != nil {
		return err
	}
	body, err := page.ReadFile("page/body.html")
	if err != nil {
		return err
	}
	// Nothing is loaded, and only the scripts of the page itself run.
	rules := fmt.Sprintf("default-src 'none'; script-src '%s'; style-src '%s'; img-src data:; base-uri 'none'; form-action 'none'",
		policy.Source(script.Bytes()), policy.Source(style))
	fmt.Fprintf(w, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"+
		"<meta http-equiv=\"Content-Security-Policy\" content=\"%s\">\n"+
		"<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"+
		"<meta name=\"color-scheme\" content=\"light dark\">\n<link rel=\"icon\" href=\"data:,\">\n"+
		"<title>%s</title>\n<style>%s</style>\n<script>%s</script>\n</head>\n<body>\n%s",
		rules, html.EscapeString(p.net.Title), style, script.Bytes(), body)
	block, err := p.net.block(w)
	if err != nil {
		return err
	}
	return w.data("net", block)
}

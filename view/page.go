package view

import (
	"bytes"
	"context"
	"embed"
	"encoding/json"
	"fmt"
	"html"
	"io"
	"regexp"
	"strings"

	"pnmc/internal/account"
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

// Within limits what the answers added from now on take beside their runs: an automaton's run
// that is not found within ctx is not shown.
func (p *Page) Within(ctx context.Context) { p.ctx = ctx }

// Add writes an answer, in one write. The error is that of writing, or says that a run
// does not fire.
func (p *Page) Add(a *Answer) error {
	block, err := p.net.answerBlock(a, account.Of(p.ctx))
	if err != nil {
		return err
	}
	var text bytes.Buffer
	if err := p.begin(&text); err != nil {
		return err
	}
	if err := writeData(&text, "answer", block); err != nil {
		return err
	}
	_, err = p.w.Write(text.Bytes())
	return err
}

// Close writes the net, if no answer came. It does not close the writer.
func (p *Page) Close() error {
	var text bytes.Buffer
	if err := p.begin(&text); err != nil || text.Len() == 0 {
		return err
	}
	_, err := p.w.Write(text.Bytes())
	return err
}

// begin writes what comes before the answers, once.
func (p *Page) begin(w *bytes.Buffer) error {
	if p.begun {
		return nil
	}
	p.begun = true
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
	return writeData(w, "net", p.net.block())
}

// writeData writes a block of data that the page's script reads. JSON is written such that
// nothing in it ends the block.
func writeData(w *bytes.Buffer, kind string, block any) error {
	text, err := json.Marshal(block)
	if err != nil {
		return err
	}
	fmt.Fprintf(w, "<script type=\"application/json\" class=\"%s\">%s</script>\n", kind, text)
	return nil
}

// Package browser drives a headless Chromium for tests of pages.
//
// In comes a file, out go what its script computes, what it prints on the console, and
// pictures. It speaks the DevTools protocol over a pair of pipes, which takes no server, no
// port and no library: messages are JSON objects, each with a zero byte behind it.
package browser

import (
	"bufio"
	"bytes"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"sync"
	"testing"
	"time"
)

// Browser is a Chromium process with one page. Each call has a number, and waits on a channel of its
// own for the answer with that number, while listen reads what the browser says; events, which have
// no number, go to functions that asked for them.
type Browser struct {
	command *exec.Cmd
	in      io.WriteCloser
	session string // of the page

	mutex   sync.Mutex
	number  int
	waiting map[int]chan reply
	events  map[string][]func(json.RawMessage)
	console []string
	closed  error
}

type reply struct {
	Result json.RawMessage
	Error  *struct{ Message string }
}

// names are what the program is called, in the order in which they are tried.
var names = []string{"chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome"}

// patience is how long an answer of the browser may take: a loaded machine is slow.
const patience = 2 * time.Minute

// Start starts a browser that ends with the test. It skips the test where there is none.
func Start(t testing.TB, flags ...string) *Browser {
	t.Helper()
	for _, name := range names {
		if path, err := exec.LookPath(name); err == nil {
			b, err := start(path, t.TempDir(), flags)
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(b.close)
			return b
		}
	}
	t.Skip("no Chromium is installed, in which pages are opened")
	return nil
}

// start starts the program at path with a profile in folder, and opens its page.
func start(path, folder string, flags []string) (*Browser, error) {
	toBrowser, in, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	out, fromBrowser, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	b := &Browser{in: in, waiting: map[int]chan reply{}, events: map[string][]func(json.RawMessage){}}
	b.command = exec.Command(path, append([]string{
		"--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
		"--disable-component-update", "--disable-sync", "--disable-dev-shm-usage", "--remote-debugging-pipe", "--window-size=1360,860",
		"--user-data-dir=" + folder}, flags...)...)
	b.command.ExtraFiles = []*os.File{toBrowser, fromBrowser} // descriptors 3 and 4
	if err := b.command.Start(); err != nil {
		return nil, err
	}
	toBrowser.Close()
	fromBrowser.Close()
	go b.listen(out)
	return b, b.open()
}

// open makes the page and listens to its console.
func (b *Browser) open() error {
	var target struct{ TargetID string }
	if err := b.call("", "Target.createTarget", map[string]any{"url": "about:blank"}, &target); err != nil {
		return err
	}
	var attached struct{ SessionID string }
	if err := b.call("", "Target.attachToTarget", map[string]any{"targetId": target.TargetID, "flatten": true}, &attached); err != nil {
		return err
	}
	b.session = attached.SessionID
	b.mutex.Lock()
	note := func(event json.RawMessage) { b.console = append(b.console, string(event)) }
	b.events["Runtime.consoleAPICalled"] = append(b.events["Runtime.consoleAPICalled"], note)
	b.events["Runtime.exceptionThrown"] = append(b.events["Runtime.exceptionThrown"], note)
	b.events["Log.entryAdded"] = append(b.events["Log.entryAdded"], note)
	b.mutex.Unlock()
	for _, domain := range []string{"Page", "Runtime", "Log"} {
		if err := b.call(b.session, domain+".enable", nil, nil); err != nil {
			return err
		}
	}
	return nil
}

// listen hands answers and events out until the browser ends.
func (b *Browser) listen(out io.Reader) {
	r := bufio.NewReaderSize(out, 1<<20)
	for {
		text, err := r.ReadBytes(0)
		if err != nil {
			b.mutex.Lock()
			b.closed = errors.New("the browser has ended")
			for _, c := range b.waiting {
				close(c)
			}
			b.waiting = map[int]chan reply{}
			b.mutex.Unlock()
			return
		}
		var message struct {
			ID     int
			Method string
			Params json.RawMessage
			reply
		}
		if json.Unmarshal(bytes.TrimRight(text, "\x00"), &message) != nil {
			continue
		}
		b.mutex.Lock()
		if c := b.waiting[message.ID]; message.Method == "" && c != nil {
			delete(b.waiting, message.ID)
			c <- message.reply
		}
		for _, listener := range b.events[message.Method] {
			listener(message.Params)
		}
		b.mutex.Unlock()
	}
}

// call asks the browser something and waits for the answer.
//
// For example, {"id": 7, "method": "Runtime.evaluate", "params": …, "sessionId": …} is answered
// by {"id": 7, "result": …} or by {"id": 7, "error": …}, at some time, with events and answers to
// others in between.
func (b *Browser) call(session, method string, parameters, result any) error {
	message := map[string]any{"method": method}
	if parameters != nil {
		message["params"] = parameters
	}
	if session != "" {
		message["sessionId"] = session
	}
	answer := make(chan reply, 1)
	b.mutex.Lock()
	if b.closed != nil {
		b.mutex.Unlock()
		return b.closed
	}
	b.number++
	message["id"] = b.number
	b.waiting[b.number] = answer
	text, err := json.Marshal(message)
	if err == nil {
		_, err = b.in.Write(append(text, 0))
	}
	b.mutex.Unlock()
	if err != nil {
		return err
	}
	select {
	case r, ok := <-answer:
		switch {
		case !ok:
			return errors.New("the browser has ended")
		case r.Error != nil:
			return fmt.Errorf("%s: %s", method, r.Error.Message)
		case result == nil:
			return nil
		}
		return json.Unmarshal(r.Result, result)
	case <-time.After(patience):
		return fmt.Errorf("%s: no answer in %s", method, patience)
	}
}

// close asks the browser to end, and kills it if it does not.
func (b *Browser) close() {
	b.call("", "Browser.close", nil, nil)
	b.in.Close()
	done := make(chan struct{})
	go func() {
		b.command.Wait()
		close(done)
	}()
	select {
	case <-done:
	case <-time.After(10 * time.Second):
		b.command.Process.Kill()
		<-done
	}
}

// Page is a page under test.
type Page struct {
	*Browser
	t testing.TB
}

// Open opens a file and waits until its script has run. The console begins anew.
func (b *Browser) Open(t testing.TB, path string) *Page {
	t.Helper()
	loaded := make(chan struct{}, 1)
	b.mutex.Lock()
	b.console = nil
	b.events["Page.loadEventFired"] = []func(json.RawMessage){func(json.RawMessage) { loaded <- struct{}{} }}
	b.mutex.Unlock()
	if err := b.call(b.session, "Page.navigate", map[string]any{"url": "file://" + path}, nil); err != nil {
		t.Fatal(err)
	}
	select {
	case <-loaded:
	case <-time.After(patience):
		t.Fatalf("%s has not loaded in %s", path, patience)
	}
	return &Page{b, t}
}

// Console returns what the page has printed so far, and errors of its script.
func (p *Page) Console() []string {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	return append([]string(nil), p.console...)
}

// Evaluate computes an expression in the page; result gets its value.
//
// A promise is waited for, so that a test can wait for what the page does later. The policy of
// the page counts: an expression cannot do what a script of the page could not.
func (p *Page) Evaluate(expression string, result any) {
	p.t.Helper()
	var answer struct {
		Result           struct{ Value json.RawMessage }
		ExceptionDetails *struct {
			Text      string
			Exception struct{ Description string }
		}
	}
	parameters := map[string]any{"expression": expression, "returnByValue": true, "awaitPromise": true,
		"allowUnsafeEvalBlockedByCSP": false} // what the page's policy refuses is refused here, too
	if err := p.call(p.session, "Runtime.evaluate", parameters, &answer); err != nil {
		p.t.Fatal(err)
	}
	if d := answer.ExceptionDetails; d != nil {
		p.t.Fatalf("%s: %s %s", expression, d.Text, d.Exception.Description)
	}
	if result != nil {
		if err := json.Unmarshal(answer.Result.Value, result); err != nil {
			p.t.Fatalf("%s: %v in %s", expression, err, answer.Result.Value)
		}
	}
}

// keyCodes are the keys that are no characters, with their codes.
var keyCodes = map[string]int{
	"ArrowLeft": 37, "ArrowRight": 39, "ArrowUp": 38, "ArrowDown": 40, "Home": 36, "End": 35, "PageUp": 33, "PageDown": 34,
	"Escape": 27, "Enter": 13, "Tab": 9, "Backspace": 8,
}

// Press presses keys one after the other, as a user does.
func (p *Page) Press(keys ...string) {
	p.t.Helper()
	for _, key := range keys {
		down := map[string]any{"type": "keyDown", "key": key, "code": key}
		switch {
		case keyCodes[key] != 0:
			down["windowsVirtualKeyCode"] = keyCodes[key]
			if key == "Enter" {
				down["text"] = "\r"
			}
		default:
			down["text"] = key
		}
		up := map[string]any{"type": "keyUp", "key": key, "code": key, "windowsVirtualKeyCode": down["windowsVirtualKeyCode"]}
		if up["windowsVirtualKeyCode"] == nil {
			delete(up, "windowsVirtualKeyCode")
		}
		for _, event := range []map[string]any{down, up} {
			if err := p.call(p.session, "Input.dispatchKeyEvent", event, nil); err != nil {
				p.t.Fatal(err)
			}
		}
	}
}

// Click presses the mouse in the middle of the first element that a selector finds.
func (p *Page) Click(selector string) {
	p.t.Helper()
	quoted, _ := json.Marshal(selector)
	var at struct{ X, Y float64 }
	p.Evaluate(fmt.Sprintf(`(() => { const e = document.querySelector(%s); e.scrollIntoView({block: "nearest"});
		const r = e.getBoundingClientRect(); return {X: r.x + r.width / 2, Y: r.y + r.height / 2}; })()`, quoted), &at)
	for _, kind := range []string{"mousePressed", "mouseReleased"} {
		event := map[string]any{"type": kind, "x": at.X, "y": at.Y, "button": "left", "clickCount": 1}
		if err := p.call(p.session, "Input.dispatchMouseEvent", event, nil); err != nil {
			p.t.Fatal(err)
		}
	}
}

// Prefer sets what the user prefers, such as "prefers-color-scheme" to "dark".
func (p *Page) Prefer(feature, value string) {
	p.t.Helper()
	features := []map[string]string{{"name": feature, "value": value}}
	if err := p.call(p.session, "Emulation.setEmulatedMedia", map[string]any{"features": features}, nil); err != nil {
		p.t.Fatal(err)
	}
}

// Contrast returns the ratio of the luminances of two custom properties of the page that are
// colours, as the Web Content Accessibility Guidelines define it (WCAG 2.2, relative
// luminance): 4.5 is asked of text, and 3 of what else one has to see.
func (p *Page) Contrast(a, b string) (ratio float64) {
	p.t.Helper()
	names, _ := json.Marshal([]string{a, b})
	p.Evaluate(fmt.Sprintf(`(() => {
		const style = getComputedStyle(document.documentElement), canvas = document.createElement("canvas").getContext("2d", {willReadFrequently: true});
		const [x, y] = %s.map(name => {
			const colour = style.getPropertyValue("--" + name);
			if (!colour || !CSS.supports("color", colour)) throw new Error(name + " is no colour: " + colour);
			canvas.fillStyle = colour;
			canvas.fillRect(0, 0, 1, 1);
			const c = [...canvas.getImageData(0, 0, 1, 1).data].slice(0, 3).map(v => (v /= 255) <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
			return 0.2126 * c[0] + 0.7152 * c[1] + 0.0722 * c[2];
		});
		return (Math.max(x, y) + 0.05) / (Math.min(x, y) + 0.05); })()`, names), &ratio)
	return ratio
}

// lowContrast collects texts whose colour is too near to what lies behind them: the background
// of elements around, or what a node or a mark of a drawing is filled with.
const lowContrast = `(() => {
	const canvas = document.createElement("canvas").getContext("2d", {willReadFrequently: true});
	const parse = (colour) => { canvas.clearRect(0, 0, 1, 1); canvas.fillStyle = colour; canvas.fillRect(0, 0, 1, 1); const d = canvas.getImageData(0, 0, 1, 1).data; return [d[0], d[1], d[2], d[3] / 255]; };
	const over = (a, b) => [0, 1, 2].map((i) => a[i] * a[3] + b[i] * (1 - a[3])).concat([1]);
	const luminance = (c) => { const [r, g, b] = c.slice(0, 3).map((v) => (v /= 255) <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4); return 0.2126 * r + 0.7152 * g + 0.0722 * b; };
	const behind = (e) => {
		const layers = [];
		for (let n = e; n && n.nodeType === 1; n = n.parentElement) layers.push(parse(getComputedStyle(n).backgroundColor));
		let colour = layers.reverse().reduce((under, c) => over(c, under), [255, 255, 255, 1]);
		const body = e.closest(".transition")?.querySelector(".body") || (e.classList.contains("mark") ? e.previousElementSibling : null);
		return body && body !== e ? over(parse(getComputedStyle(body).fill), colour) : colour;
	};
	const low = [];
	for (const e of document.querySelectorAll("body *")) {
		if (e.tagName === "title" || e.tagName === "OPTION" || e.disabled || ![...e.childNodes].some((n) => n.nodeType === 3 && n.textContent.trim()) || !e.getClientRects().length) continue;
		const back = behind(e), style = getComputedStyle(e), colour = over(parse(e.ownerSVGElement ? style.fill : style.color), back);
		const x = luminance(colour), y = luminance(back), ratio = (Math.max(x, y) + 0.05) / (Math.min(x, y) + 0.05);
		if (ratio < 4.5) low.push(e.tagName + "." + (e.getAttribute("class") || "") + " \"" + e.textContent.slice(0, 40) + "\": " + ratio.toFixed(2));
	}
	return low; })()`

// LowContrast returns the texts now shown whose contrast with what lies behind them is below the
// 4.5 that the Web Content Accessibility Guidelines ask for.
func (p *Page) LowContrast() (list []string) {
	p.t.Helper()
	p.Evaluate(lowContrast, &list)
	return list
}

// Unnamed returns the controls and pictures that have no name for a screen reader.
func (p *Page) Unnamed() (list []string) {
	p.t.Helper()
	p.Evaluate(`[...document.querySelectorAll("button, input, select, a, svg[role=img], g[role=img]")].filter(e =>
		!(e.textContent.trim() && e.tagName !== "SELECT" || e.getAttribute("aria-label") || e.closest("label")?.textContent.trim())).map(e => e.outerHTML)`, &list)
	return list
}

// Resize makes the window so large.
func (p *Page) Resize(width, height int) {
	p.t.Helper()
	size := map[string]any{"width": width, "height": height, "deviceScaleFactor": 1, "mobile": false}
	if err := p.call(p.session, "Emulation.setDeviceMetricsOverride", size, nil); err != nil {
		p.t.Fatal(err)
	}
}

// Picture returns a picture of the page, as PNG.
func (p *Page) Picture() []byte {
	p.t.Helper()
	var picture struct{ Data string }
	if err := p.call(p.session, "Page.captureScreenshot", map[string]any{"format": "png"}, &picture); err != nil {
		p.t.Fatal(err)
	}
	data, err := base64.StdEncoding.DecodeString(picture.Data)
	if err != nil {
		p.t.Fatal(err)
	}
	return data
}

// HeapBytes returns the memory that the page's script uses, after garbage was collected.
func (p *Page) HeapBytes() float64 {
	p.t.Helper()
	if err := p.call(p.session, "HeapProfiler.collectGarbage", nil, nil); err != nil {
		p.t.Fatal(err)
	}
	var usage struct{ UsedSize float64 }
	if err := p.call(p.session, "Runtime.getHeapUsage", nil, &usage); err != nil {
		p.t.Fatal(err)
	}
	return usage.UsedSize
}

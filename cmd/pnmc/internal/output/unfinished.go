package output

import (
	"context"
	"fmt"
	"sync"
)

// Unfinished is what a command is writing: files, and text that waits for its reader.
type Unfinished struct {
	waits  waits
	mutex  sync.Mutex
	files  map[*File]bool // whether what was written so far is a whole file
	scraps []func()       // remove what is of no use without the command
}

type unfinishedKey struct{}

// WithUnfinished returns ctx with a place where commands note which files they are writing.
func WithUnfinished(ctx context.Context) (context.Context, *Unfinished) {
	u := &Unfinished{files: map[*File]bool{}, waits: waits{writes: map[*wait]bool{}, over: make(chan error, 1)}}
	return context.WithValue(ctx, unfinishedKey{}, u), u
}

// NoteUnfinished notes that o is being written; whole says that each Write or Part leaves it a
// whole file, to be kept however the command ends.
func NoteUnfinished(ctx context.Context, o *File, whole bool) {
	if u, ok := ctx.Value(unfinishedKey{}).(*Unfinished); ok {
		u.mutex.Lock()
		defer u.mutex.Unlock()
		u.files[o] = whole
		if o.target == "" { // a pipe or a device
			o.mutex.Lock()
			defer o.mutex.Unlock()
			o.waits = &u.waits
		}
	}
}

// NoteScraps notes that remove removes what the command writes for itself, which it does also if
// it comes to its end.
func NoteScraps(ctx context.Context, remove func()) {
	if u, ok := ctx.Value(unfinishedKey{}).(*Unfinished); ok {
		u.mutex.Lock()
		defer u.mutex.Unlock()
		u.scraps = append(u.scraps, remove)
	}
}

// End keeps the files that are whole, discards the others, and reports both. Scraps are
// removed.
func (u *Unfinished) End() []string {
	u.mutex.Lock()
	defer u.mutex.Unlock()
	for _, remove := range u.scraps {
		remove()
	}
	var told []string
	for o, whole := range u.files {
		switch {
		case !o.isFree():
			told = append(told, fmt.Sprintf("%s is not written whole: nobody reads it", o.Path))
		case o.isEnded():
		case !whole:
			o.Discard()
			told = append(told, fmt.Sprintf("%s is not written", o.Path))
		default:
			if err := o.Keep(); err != nil {
				told = append(told, err.Error())
			} else {
				told = append(told, fmt.Sprintf("%s has what was found so far", o.Path))
			}
		}
	}
	return told
}

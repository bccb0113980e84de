package main

import (
	"bytes"
	"runtime"
	"runtime/debug"
	"strings"
	"testing"
)

func TestVersion(t *testing.T) {
	var out bytes.Buffer
	if err := printVersion(&out); err != nil || !strings.HasPrefix(out.String(), "pnmc ") || !strings.Contains(out.String(), runtime.Version()) {
		t.Errorf("%v, %s", err, &out)
	}
	version, build := buildOf(&debug.BuildInfo{Main: debug.Module{Version: "v1.2.3"}, Settings: []debug.BuildSetting{
		{Key: "vcs.revision", Value: "abc"}, {Key: "vcs.modified", Value: "true"}, {Key: "vcs.time", Value: "2030-01-02T03:04:05Z"}}})
	if version != "v1.2.3" || build != "\nrevision abc, modified, of 2030-01-02T03:04:05Z" {
		t.Errorf("%q, %q", version, build)
	}
}

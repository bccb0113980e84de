package main

import (
	"fmt"
	"io"
	"runtime"
	"runtime/debug"
)

// printVersion writes the version, that of Go, and what the program was built from.
func printVersion(w io.Writer) error {
	version, build := "(devel)", ""
	if info, ok := debug.ReadBuildInfo(); ok {
		version, build = buildOf(info)
	}
	_, err := fmt.Fprintf(w, "pnmc %s\n%s %s/%s%s\n", version, runtime.Version(), runtime.GOOS, runtime.GOARCH, build)
	return err
}

// buildOf returns the version that a build was given, and the rest that it knows of itself.
func buildOf(info *debug.BuildInfo) (version, build string) {
	version = info.Main.Version
	if version == "" {
		version = "(devel)"
	}
	settings := make(map[string]string)
	for _, s := range info.Settings {
		settings[s.Key] = s.Value
	}
	if revision := settings["vcs.revision"]; revision != "" {
		build += "\nrevision " + revision
		if settings["vcs.modified"] == "true" {
			build += ", modified"
		}
		if at := settings["vcs.time"]; at != "" {
			build += ", of " + at
		}
	}
	return version, build
}

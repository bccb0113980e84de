package main

import "pnmc/cmd/pnmc/internal/told"

// Where standard error is a terminal, somebody sits there: each verdict is told in words
// too. Standard output stays for programs.

// wordy reports whether verdicts are told in words.
func (s *session) wordy() bool { return s.Terminal && !s.Quiet }

// inWords tells an answer in words.
func (s *session) inWords(r *told.Answer) {
	if s.wordy() {
		s.Say("%s", r.InWords(s.c.String("trace")))
	}
}

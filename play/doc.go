// Package play is a token game in a terminal, for machines without a browser.
//
// In come a net, and perhaps runs of it, which are played step by step; out goes what the
// player sees on a screen of package tcell. Game has the rules and knows no screen; Play
// draws it and reads keys. Command pnmc play puts a terminal behind it.
package play

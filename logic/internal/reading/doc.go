// Package reading has what the readers of formulas share. These are errors with their place
// in a file, limits of memory and time, parsers that ask such limits, quotes, the spelling
// of comparisons, and files with a formula on each line. In comes text of packages logic,
// ltl and ctl; out go tokens, trees and errors.
package reading

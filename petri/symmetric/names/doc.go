// Package names finds out what names of coloured nodes stand for in an unfolded net.
//
// In comes a symmetric.Unfolding, and out goes a Vocabulary, which package logic asks as it reads formulas:
// the name of a coloured place stands for the places of all its colours, that of an unfolded place for itself,
// and that of a colour which was not built for no place. The commands bind formulas by it where a net was
// unfolded before they are read.
//
//	vocabulary.go  tables of coloured nodes, and of their names
//	spelling.go    the names of tuples, taken apart into those of colours
package names

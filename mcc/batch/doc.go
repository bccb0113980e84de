// Package batch answers many examinations of many contest instances, each run in
// a process of its own, and tells how well that went.
//
// In come folders and archives as the Model Checking Contest distributes them,
// and limits; beside them, where there are any, the answers that are known to be
// right. Out go a journal, to which each answer is added the moment it is given,
// tables of comma-separated values, and a report in HTML that needs no network.
// A batch that is interrupted, by a power cut even, goes on where it was.
//
// Find lists instances, Execute runs what a Journal does not have yet, Summarize
// compares what it has with an Oracle, and a Summary writes itself.
package batch

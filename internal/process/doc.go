// Package process says how processes that this one starts end with it, tells what an
// ended one took of the machine, and takes a file for one process alone.
package process

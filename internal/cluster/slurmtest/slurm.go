// Package slurmtest starts a Slurm of two nodes on this computer, for tests.
//
// It needs the programs slurmctld, slurmd, munged and the commands of Slurm, as Debian packs
// them; where one is missing the test is skipped, with a message. All that the daemons write
// lies in a folder of the test, and their ports are free ones: several can run at a time,
// beside one of the system.
package slurmtest

import (
	"crypto/rand"
	"fmt"
	"net"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"pnmc/internal/process"
)

// Nodes is the number of nodes.
const Nodes = 2

// MegabytesOfNode is the memory of each.
const MegabytesOfNode = 6000

// The partitions beside the usual one, all: Urgent takes nodes from its tasks, which are queued
// again; tasks of Small have 2000 MB at most; and Closed runs none.
const (
	Urgent = "urgent"
	Small  = "small"
	Closed = "closed"
)

// patience is how long something is waited for that takes a second or two, or many where other processes have the
// processors.
const patience = 4 * time.Minute

// Slurm is one that runs.
type Slurm struct {
	t       testing.TB
	folder  string
	ports   []int // of the controller, and of the nodes
	munge   *exec.Cmd
	control *exec.Cmd
	nodes   [Nodes]*exec.Cmd
	starts  chan func() // run on one thread: who was started there dies with it
}

// programs are looked for where Debian has them.
var programs = []string{"munged", "slurmctld", "slurmd", "sbatch", "squeue", "scancel", "scontrol", "sinfo"}

// Start starts a Slurm, sets the variables by which its commands find it, and ends it with
// the test. More are further lines of its configuration.
func Start(t testing.TB, more ...string) *Slurm {
	t.Helper()
	t.Setenv("PATH", os.Getenv("PATH")+":/usr/sbin:/sbin")
	for _, p := range programs {
		if _, err := exec.LookPath(p); err != nil {
			t.Skipf("there is no %s: packages slurmctld, slurmd, slurm-client and munge have what this test needs", p)
		}
	}
	// Not t.TempDir: a socket's path is short, and daemons may still write when the test ends.
	folder, err := os.MkdirTemp("/tmp", "slurm-*")
	if err != nil {
		t.Fatal(err)
	}
	s := &Slurm{t: t, folder: folder, starts: make(chan func())}
	go func() {
		for start := range s.starts {
			start()
		}
	}()
	t.Cleanup(func() { s.end() })
	for range Nodes + 1 {
		s.ports = append(s.ports, freePort(t))
	}
	for _, name := range []string{"state", "log", "spooln0", "spooln1"} {
		if err := os.Mkdir(filepath.Join(folder, name), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	s.write("slurm.conf", s.configuration(more))
	t.Setenv("SLURM_CONF", filepath.Join(folder, "slurm.conf"))
	s.startMunge()
	s.StartController()
	for i := range Nodes {
		s.StartNode(i)
	}
	s.Until("two idle nodes", func() bool {
		return strings.Count(s.Call("sinfo", "-h", "-N", "-p", "all", "-o", "%t"), "idle") == Nodes
	})
	return s
}

// configuration returns the text of slurm.conf.
func (s *Slurm) configuration(more []string) string {
	host, err := os.Hostname()
	if err != nil {
		s.t.Fatal(err)
	}
	host, _, _ = strings.Cut(host, ".")
	who, err := user.Current()
	if err != nil {
		s.t.Fatal(err)
	}
	lines := []string{
		"ClusterName=test", "SlurmctldHost=" + host + "(127.0.0.1)", "AuthType=auth/munge", "AuthInfo=socket=" + s.path("munge.socket") + ",cred_expire=5",
		"CryptoType=crypto/munge", "SlurmUser=" + who.Username, "SlurmdUser=" + who.Username, "StateSaveLocation=" + s.path("state"), "SlurmdSpoolDir=" + s.path("spool%n"),
		fmt.Sprintf("SlurmctldPort=%d", s.ports[0]), "SlurmctldPidFile=" + s.path("ctld.pid"), "SlurmdPidFile=" + s.path("d%n.pid"),
		"ProctrackType=proctrack/linuxproc", "TaskPlugin=task/none", "SelectType=select/cons_tres", "SelectTypeParameters=CR_Core_Memory",
		"ReturnToService=2", "PreemptType=preempt/partition_prio", "PreemptMode=REQUEUE", "SlurmctldLogFile=" + s.path("log/ctld.log"), "SlurmdLogFile=" + s.path("log/d%n.log"), "MpiDefault=none",
		"SchedulerParameters=sched_min_interval=50000,batch_sched_delay=0,defer_batch", "KillWait=2", "MessageTimeout=5", "SlurmctldTimeout=6",
	}
	lines = append(lines, more...)
	for i := range Nodes {
		lines = append(lines, fmt.Sprintf("NodeName=n%d NodeHostname=%s NodeAddr=127.0.0.1 Port=%d CPUs=1 RealMemory=%d State=UNKNOWN", i, host, s.ports[1+i], MegabytesOfNode))
	}
	lines = append(lines, "PartitionName=all Nodes=n[0-1] Default=YES MaxTime=INFINITE State=UP PriorityTier=1",
		"PartitionName="+Urgent+" Nodes=n[0-1] MaxTime=INFINITE State=UP PriorityTier=9",
		"PartitionName="+Small+" Nodes=n[0-1] MaxTime=INFINITE State=UP PriorityTier=1 MaxMemPerNode=2000",
		"PartitionName="+Closed+" Nodes=n[0-1] MaxTime=INFINITE State=DOWN PriorityTier=1")
	return strings.Join(lines, "\n") + "\n"
}

func (s *Slurm) path(name string) string { return filepath.Join(s.folder, name) }

func (s *Slurm) write(name, text string) {
	s.t.Helper()
	if err := os.WriteFile(s.path(name), []byte(text), 0o600); err != nil {
		s.t.Fatal(err)
	}
}

// startMunge starts the daemon by which the others know each other.
func (s *Slurm) startMunge() {
	s.t.Helper()
	key := make([]byte, 1024)
	_, _ = rand.Read(key) // never fails
	s.write("munge.key", string(key))
	s.munge = s.daemon("munged", "--foreground", "--force", "--key-file="+s.path("munge.key"), "--socket="+s.path("munge.socket"),
		"--pid-file="+s.path("munge.pid"), "--seed-file="+s.path("munge.seed"), "--log-file="+s.path("log/munge.log"), "--num-threads=2")
	s.Until("munge", func() bool {
		_, err := os.Stat(s.path("munge.socket"))
		return err == nil
	})
}

// StartController starts the controller, with the state that an earlier one left.
func (s *Slurm) StartController() {
	s.t.Helper()
	s.control = s.daemon("slurmctld", "-D", "-f", s.path("slurm.conf"))
	s.Until("the controller", func() bool { return exec.Command("scontrol", "ping").Run() == nil })
}

// StopController ends the controller, which keeps its state.
func (s *Slurm) StopController() {
	_ = s.control.Process.Signal(syscall.SIGTERM) // it runs
	_ = s.control.Wait()                          // whatever it says
}

// StartNode starts the daemon of node i.
func (s *Slurm) StartNode(i int) {
	s.t.Helper()
	s.nodes[i] = s.daemon("slurmd", "-D", "-f", s.path("slurm.conf"), "-N", fmt.Sprintf("n%d", i))
}

// StopNode kills the daemon of node i, and all that it runs: what a crash of it leaves.
func (s *Slurm) StopNode(i int) {
	kill(s.nodes[i])
	for left := s.stepsOf(i); len(left) > 0; left = s.stepsOf(i) { // some were just being started
		for _, pid := range left {
			if p, err := os.FindProcess(pid); err == nil {
				_ = p.Kill() // it may just have ended
			}
		}
	}
}

// stepsOf returns the processes of a node: those whose environment says that it started them, and
// the daemons that watch these.
func (s *Slurm) stepsOf(node int) []int {
	var list []int
	entries, _ := os.ReadDir("/proc")
	for _, e := range entries {
		var pid int
		if _, err := fmt.Sscan(e.Name(), &pid); err != nil || pid == os.Getpid() {
			continue
		}
		environment, _ := os.ReadFile("/proc/" + e.Name() + "/environ")
		text := "\x00" + string(environment)
		if strings.Contains(text, fmt.Sprintf("\x00SLURMD_NODENAME=n%d\x00", node)) && strings.Contains(text, "\x00SLURM_CONF="+s.path("slurm.conf")+"\x00") {
			list = append(list, pid)
		}
	}
	return list
}

// daemon starts a program that is ended with the test.
func (s *Slurm) daemon(name string, arguments ...string) *exec.Cmd {
	s.t.Helper()
	command := exec.Command(name, arguments...)
	log, err := os.OpenFile(s.path("log/"+name+".out"), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		s.t.Fatal(err)
	}
	defer log.Close()
	command.Stdout, command.Stderr = log, log
	process.Apart(command)
	failed := make(chan error)
	s.starts <- func() {
		process.DieTogether(command) // the thread is kept
		failed <- command.Start()
	}
	if err := <-failed; err != nil {
		s.t.Fatal(err)
	}
	return command
}

// kill ends a process, and waits for its end.
func kill(command *exec.Cmd) {
	if command == nil || command.ProcessState != nil {
		return
	}
	_ = command.Process.Kill() // it may just have ended
	_ = command.Wait()         // it was killed
}

// end ends all daemons, and what they run.
func (s *Slurm) end() {
	if s.t.Failed() {
		for _, name := range []string{"log/ctld.log", "log/dn0.log", "log/dn1.log"} {
			if text, err := os.ReadFile(s.path(name)); err == nil {
				s.t.Logf("%s:\n%s", name, text[max(0, len(text)-4000):])
			}
		}
	}
	kill(s.control)
	for i := range Nodes {
		s.StopNode(i)
	}
	kill(s.munge)
	close(s.starts)
	for range 20 { // what is dying may still write
		if os.RemoveAll(s.folder) == nil {
			return
		}
		time.Sleep(50 * time.Millisecond)
	}
}

// Call runs a command of Slurm, and returns what it printed.
func (s *Slurm) Call(name string, arguments ...string) string {
	s.t.Helper()
	text, err := exec.Command(name, arguments...).CombinedOutput()
	if err != nil {
		s.t.Logf("%s %s: %v: %s", name, strings.Join(arguments, " "), err, text)
	}
	return string(text)
}

// Until waits for something to come true, and fails the test if it does not.
func (s *Slurm) Until(what string, true func() bool) {
	s.t.Helper()
	for begun := time.Now(); !true(); {
		if time.Since(begun) > patience {
			s.t.Fatalf("waited for %s in vain:\n%s", what, s.Call("squeue", "--states=all"))
		}
		time.Sleep(20 * time.Millisecond)
	}
}

// freePort returns a port that nobody uses now.
func freePort(t testing.TB) int {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().(*net.TCPAddr).Port
}

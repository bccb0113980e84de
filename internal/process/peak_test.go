package process

import (
	"fmt"
	"os"
	"os/exec"
	"testing"
)

const isChild = "PROCESS_TEST_CHILD"

func TestMain(m *testing.M) {
	if os.Getenv(isChild) != "" {
		fmt.Println("ended")
		return
	}
	os.Exit(m.Run())
}

// What a process had that ends at once is known, and is not what its parent had.
func TestPeakOfAShortProcess(t *testing.T) {
	const large = 300 << 20
	held := make([]byte, large)
	for i := 0; i < len(held); i += 1 << 10 {
		held[i] = 1
	}
	own := Peak()
	if own < large {
		t.Fatalf("the peak is %d MB, with %d MB held (%d)", own>>20, large>>20, held[0])
	}
	command := exec.Command(os.Args[0])
	command.Env = append(os.Environ(), isChild+"=1")
	out, err := command.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	_, seen := Memory(command.Process.Pid)
	fmt.Fscanln(out, new(string))
	if err := command.Wait(); err != nil {
		t.Fatal(err)
	}
	if seen == 0 {
		t.Skip("the system does not tell what a process has")
	}
	if peak := PeakOf(command.ProcessState, seen); peak == 0 || peak > large/2 {
		t.Errorf("the peak of a process of few MB is %d MB", peak>>20)
	}
	if peak := PeakOf(command.ProcessState, 0); peak == 0 {
		t.Error("the peak is not known")
	}
}

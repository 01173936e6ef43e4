package run

import "os/exec"

func Shell(command string) error {
	return exec.Command("sh", "-c", command).Run()
}

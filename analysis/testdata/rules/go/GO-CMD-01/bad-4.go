package images

import "os/exec"

func Convert(name string) error {
	return exec.Command("bash", "-c", "convert "+name+" out.png").Run() // ← here
}

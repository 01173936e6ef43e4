package app

import (
	"fmt"
	"net/http"
	"os/exec"
)

func Handle(w http.ResponseWriter, r *http.Request) {
	script := fmt.Sprintf("convert %s out.png", r.PathValue("file"))
	cmd := exec.CommandContext(r.Context(), "/bin/bash", "-c", script) // ← here
	cmd.Run()
}

package app

import (
	"net/http"
	"os/exec"
)

func Handle(w http.ResponseWriter, r *http.Request) {
	tools := map[string]string{"git": "/usr/bin/git", "go": "/usr/bin/go"}
	tool, ok := tools[r.FormValue("tool")]
	if !ok {
		return
	}
	exec.Command(tool, "--version").Run()
}

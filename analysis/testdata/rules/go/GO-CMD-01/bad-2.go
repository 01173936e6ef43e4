package app

import (
	"net/http"
	"os/exec"
)

func Handle(w http.ResponseWriter, r *http.Request) {
	exec.Command(r.URL.Query().Get("tool"), "--version").Run() // ← here
}

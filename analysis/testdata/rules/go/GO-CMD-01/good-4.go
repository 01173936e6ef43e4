package app

import (
	"regexp"
	"net/http"
	"os/exec"
)

func Handle(w http.ResponseWriter, r *http.Request) {
	var name = regexp.MustCompile(`^[a-z0-9]+$`)
	host := r.FormValue("host")
	if !name.MatchString(host) {
		return
	}
	exec.Command("sh", "-c", "ping -c 1 "+host).Run()
}

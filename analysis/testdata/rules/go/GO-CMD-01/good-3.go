package app

import (
	"fmt"
	"strconv"
	"net/http"
	"os/exec"
)

func Handle(w http.ResponseWriter, r *http.Request) {
	port, err := strconv.Atoi(r.FormValue("port"))
	if err != nil {
		return
	}
	exec.Command("sh", "-c", fmt.Sprintf("lsof -i :%d", port)).Run()
}

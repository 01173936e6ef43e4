package app

import (
	"net/http"
	"os"
	"path/filepath"
	"strings"
)

func Handle(w http.ResponseWriter, r *http.Request) {
	name := r.FormValue("file")
	if strings.Contains(name, "..") {
		http.Error(w, "no", 400)
		return
	}
	os.ReadFile("/srv/files/" + name)
}

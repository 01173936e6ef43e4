package app

import (
	"net/http"
	"os"
	"path/filepath"
	"strings"
)

func Handle(w http.ResponseWriter, r *http.Request) {
	path := filepath.Join("/srv/files", r.FormValue("file"))
	if !strings.HasPrefix(path, "/srv/files/") {
		return
	}
	os.ReadFile(path)
}

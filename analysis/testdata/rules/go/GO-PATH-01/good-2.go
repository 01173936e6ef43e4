package app

import (
	"net/http"
	"os"
	"path/filepath"
	"strings"
)

func Handle(w http.ResponseWriter, r *http.Request) {
	name := r.FormValue("file")
	if !filepath.IsLocal(name) {
		return
	}
	os.ReadFile(filepath.Join("/srv/files", name))
}

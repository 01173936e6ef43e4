package app

import (
	"net/http"
	"os"
	"path/filepath"
	"strings"
)

func Handle(w http.ResponseWriter, r *http.Request) {
	path := filepath.Join("/srv/files", filepath.Clean("/"+r.FormValue("file")))
	os.ReadFile(path)
}

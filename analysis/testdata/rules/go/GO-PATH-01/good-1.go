package app

import (
	"net/http"
	"os"
	"path/filepath"
	"strings"
)

func Handle(w http.ResponseWriter, r *http.Request) {
	os.ReadFile(filepath.Join("/srv/files", filepath.Base(r.FormValue("file"))))
}

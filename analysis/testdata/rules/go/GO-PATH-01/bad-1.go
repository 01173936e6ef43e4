package app

import (
	"net/http"
	"os"
	"path/filepath"
	"strings"
)

func Handle(w http.ResponseWriter, r *http.Request) {
	name := r.URL.Query().Get("file")
	data, err := os.ReadFile(filepath.Join("/srv/files", name)) // ← here
	_, _ = data, err
}

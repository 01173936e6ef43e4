package app

import (
	"net/http"
	"os"
	"path/filepath"
	"strings"
)

func Handle(w http.ResponseWriter, r *http.Request) {
	path := filepath.Clean(r.PathValue("path"))
	os.Remove("/srv/" + path) // ← here
}

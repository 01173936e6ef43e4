package app

import (
	"net/http"
	"os"
	"path/filepath"
	"strings"
)

func Handle(w http.ResponseWriter, r *http.Request) {
	http.ServeFile(w, r, "/srv/files/"+r.FormValue("file")) // ← here
}

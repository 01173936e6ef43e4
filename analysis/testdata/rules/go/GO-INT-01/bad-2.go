package app

import (
	"net/http"
	"strconv"
)

func Handle(w http.ResponseWriter, r *http.Request) {
	port, _ := strconv.ParseInt(r.FormValue("port"), 10, 64)
	use(uint16(port)) // ← here
}

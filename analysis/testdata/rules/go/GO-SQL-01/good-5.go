package app

import (
	"database/sql"
	"fmt"
	"net/http"
	"strconv"
)

func list(db *sql.DB, w http.ResponseWriter, r *http.Request) {
	allowed := map[string]bool{"asc": true, "desc": true}
	order := r.FormValue("order")
	if !allowed[order] {
		order = "asc"
	}
	db.Query("SELECT name FROM users ORDER BY name " + order)
}

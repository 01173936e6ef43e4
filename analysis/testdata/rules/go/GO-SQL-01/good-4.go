package app

import (
	"database/sql"
	"fmt"
	"net/http"
	"strconv"
)

func list(db *sql.DB, w http.ResponseWriter, r *http.Request) {
	sort := r.FormValue("sort")
	switch sort {
	case "name", "age":
	default:
		return
	}
	db.Query("SELECT name FROM users ORDER BY " + sort)
}

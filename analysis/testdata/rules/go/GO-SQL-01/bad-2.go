package app

import (
	"database/sql"
	"fmt"
	"net/http"
	"strconv"
)

func list(db *sql.DB, w http.ResponseWriter, r *http.Request) {
	q := fmt.Sprintf("SELECT name FROM users ORDER BY %s", r.FormValue("sort"))
	db.QueryRow(q) // ← here
}

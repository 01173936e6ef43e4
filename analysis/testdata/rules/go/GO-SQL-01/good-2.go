package app

import (
	"database/sql"
	"fmt"
	"net/http"
	"strconv"
)

func list(db *sql.DB, w http.ResponseWriter, r *http.Request) {
	id, err := strconv.Atoi(r.FormValue("id"))
	if err != nil {
		return
	}
	db.Query(fmt.Sprintf("SELECT name FROM users WHERE id = %d", id))
}

package app

import (
	"database/sql"
	"fmt"
	"net/http"
	"strconv"
)

func list(db *sql.DB, w http.ResponseWriter, r *http.Request) {
	columns := map[string]string{"name": "name", "age": "born"}
	column, ok := columns[r.FormValue("sort")]
	if !ok {
		column = "name"
	}
	db.Query("SELECT name FROM users ORDER BY " + column)
}

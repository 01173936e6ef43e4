package app

import (
	"database/sql"
	"encoding/json"
	"net/http"
)

func list(db *sql.DB, w http.ResponseWriter, r *http.Request) {
	var in struct{ Name string }
	if err := json.NewDecoder(r.Body).Decode(&in); err != nil {
		return
	}
	query := "UPDATE users SET seen = 1 WHERE name = '"
	query += in.Name + "'"
	db.ExecContext(r.Context(), query) // ← here
}

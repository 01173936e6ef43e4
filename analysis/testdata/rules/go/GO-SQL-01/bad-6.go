package shop

import (
	"database/sql"
	"encoding/json"
	"net/http"
)

type report struct {
	Statement string `json:"statement"`
}

func reports(db *sql.DB) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		var given report
		json.NewDecoder(r.Body).Decode(&given)
		rows, err := db.QueryContext(r.Context(), given.Statement) // ← here
		if err != nil {
			http.Error(w, "failed", 500)
			return
		}
		defer rows.Close()
	}
}

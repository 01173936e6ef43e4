package app

import (
	"database/sql"
	"fmt"
	"net/http"
	"strconv"
)

func list(db *sql.DB, w http.ResponseWriter, r *http.Request) {
	db.Query("SELECT name FROM users WHERE id = $1", r.URL.Query().Get("id"))
}

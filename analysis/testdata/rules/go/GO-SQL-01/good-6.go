package store

import (
	"database/sql"
	"fmt"
)

const table = "users"

func Count(db *sql.DB, name string) *sql.Row {
	return db.QueryRow(fmt.Sprintf("SELECT count(*) FROM %s WHERE name = $1", table), name)
}

func CountIn(db *sql.DB, table string) *sql.Row {
	return db.QueryRow("SELECT count(*) FROM " + table)
}

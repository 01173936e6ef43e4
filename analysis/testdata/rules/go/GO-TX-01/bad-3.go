package app

import (
	"database/sql"
)

func Finish(tx *sql.Tx) {
	tx.Commit() // ← here
}

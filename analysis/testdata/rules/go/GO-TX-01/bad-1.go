package app

import (
	"database/sql"
)

func Move(db *sql.DB) error {
	tx, err := db.Begin()
	if err != nil {
		return err
	}
	tx.Exec("UPDATE accounts SET balance = balance - 1")
	tx.Commit() // ← here
	return nil
}

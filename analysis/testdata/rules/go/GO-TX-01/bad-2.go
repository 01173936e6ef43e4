package app

import (
	"database/sql"
)

func Move(db *sql.DB) error {
	tx, err := db.Begin()
	if err != nil {
		return err
	}
	defer tx.Commit() // ← here
	_, err = tx.Exec("UPDATE accounts SET balance = balance - 1")
	return err
}

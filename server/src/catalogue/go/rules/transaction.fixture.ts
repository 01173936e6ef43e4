import type { Example } from '../../example.fixture.ts'

export const examples: readonly Example[] = [
  {
    rule: 'GO-TX-01',
    bad: [
      `package app

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
`,
      `package app

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
`,
      `package app

import (
	"database/sql"
)

func Finish(tx *sql.Tx) {
	tx.Commit() // ← here
}
`,
    ],
    good: [
      `package app

import (
	"database/sql"
)

func Move(db *sql.DB) error {
	tx, err := db.Begin()
	if err != nil {
		return err
	}
	return tx.Commit()
}
`,
      `package app

import (
	"database/sql"
)

func Move(db *sql.DB) error {
	tx, err := db.Begin()
	if err != nil {
		return err
	}
	if err := tx.Commit(); err != nil {
		return err
	}
	return nil
}
`,
      `package app

import (
	"database/sql"
)

func Move(db *sql.DB) error {
	tx, err := db.Begin()
	if err != nil {
		return err
	}
	err = tx.Commit()
	return err
}
`,
      `package app

import (
	"example.com/raft"
)

func Finish(log *raft.Log) {
	log.Commit()
}
`,
    ],
  },
]

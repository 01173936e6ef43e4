import type { Example } from '../../example.fixture.ts'

export const examples: readonly Example[] = [
  {
    rule: 'GO-SQL-01',
    bad: [
      `package app

import (
	"database/sql"
	"fmt"
	"net/http"
	"strconv"
)

func list(db *sql.DB, w http.ResponseWriter, r *http.Request) {
	id := r.URL.Query().Get("id")
	rows, err := db.Query("SELECT name FROM users WHERE id = '" + id + "'") // ← here
	_, _ = rows, err
}
`,
      `package app

import (
	"database/sql"
	"fmt"
	"net/http"
	"strconv"
)

func list(db *sql.DB, w http.ResponseWriter, r *http.Request) {
	q := fmt.Sprintf("SELECT name FROM users ORDER BY %s", r.FormValue("sort"))
	db.QueryRow(q) // ← here
}
`,
      `package store

import "database/sql"

type Store struct{ db *sql.DB }

func (s *Store) ByMail(mail string) error {
	_, err := s.db.Exec("DELETE FROM users WHERE mail = '" + mail + "'") // ← here
	return err
}
`,
      `package app

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
`,
      `package app

import (
	"github.com/gin-gonic/gin"
	"gorm.io/gorm"
)

func Find(db *gorm.DB) gin.HandlerFunc {
	return func(c *gin.Context) {
		var users []string
		db.Where("name = '" + c.Query("name") + "'").Find(&users) // ← here
	}
}
`,
    ],
    good: [
      `package app

import (
	"database/sql"
	"fmt"
	"net/http"
	"strconv"
)

func list(db *sql.DB, w http.ResponseWriter, r *http.Request) {
	db.Query("SELECT name FROM users WHERE id = $1", r.URL.Query().Get("id"))
}
`,
      `package app

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
`,
      `package app

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
`,
      `package app

import (
	"database/sql"
	"fmt"
	"net/http"
	"strconv"
)

func list(db *sql.DB, w http.ResponseWriter, r *http.Request) {
	sort := r.FormValue("sort")
	switch sort {
	case "name", "age":
	default:
		return
	}
	db.Query("SELECT name FROM users ORDER BY " + sort)
}
`,
      `package app

import (
	"database/sql"
	"fmt"
	"net/http"
	"strconv"
)

func list(db *sql.DB, w http.ResponseWriter, r *http.Request) {
	allowed := map[string]bool{"asc": true, "desc": true}
	order := r.FormValue("order")
	if !allowed[order] {
		order = "asc"
	}
	db.Query("SELECT name FROM users ORDER BY name " + order)
}
`,
      `package store

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
`,
    ],
  },
]

package store

import "database/sql"

type Store struct{ db *sql.DB }

func (s *Store) ByMail(mail string) error {
	_, err := s.db.Exec("DELETE FROM users WHERE mail = '" + mail + "'") // ← here
	return err
}

<?php
class Users {
    private $db;
    public function __construct(PDO $db) { $this->db = $db; }
    public function byName(string $name) {
        return $this->db->query("SELECT * FROM users WHERE name = '$name'"); // ← here
    }
}

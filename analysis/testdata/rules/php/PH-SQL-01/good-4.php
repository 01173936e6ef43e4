<?php
$columns = ['name' => 'name', 'age' => 'born'];
$column = $columns[$_GET['sort']] ?? 'name';
$pdo->query("SELECT * FROM users ORDER BY $column");

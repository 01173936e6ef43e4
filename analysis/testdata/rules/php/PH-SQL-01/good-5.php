<?php
$sort = $_GET['sort'];
if (!in_array($sort, ['name', 'age'], true)) {
    die('no');
}
$pdo->query("SELECT * FROM users ORDER BY $sort");

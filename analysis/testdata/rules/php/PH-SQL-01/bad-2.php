<?php
$sql = 'SELECT * FROM users WHERE name = \'' . $_POST['name'] . "'";
$sql .= ' LIMIT 1';
$row = $pdo->query($sql)->fetch(); // ← here

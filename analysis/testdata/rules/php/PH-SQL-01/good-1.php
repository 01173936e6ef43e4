<?php
$statement = $pdo->prepare('SELECT * FROM users WHERE id = ?');
$statement->execute([$_GET['id']]);

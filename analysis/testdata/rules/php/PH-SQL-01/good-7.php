<?php
if (!ctype_digit($_GET['id'])) {
    http_response_code(400);
    exit;
}
$pdo->query('SELECT * FROM users WHERE id = ' . $_GET['id']);

<?php
$order = match ($_GET['order'] ?? '') {
    'up' => 'asc',
    default => 'desc',
};
$pdo->query("SELECT * FROM users ORDER BY name $order");

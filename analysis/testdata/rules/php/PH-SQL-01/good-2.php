<?php
$id = (int) $_GET['id'];
mysqli_query($link, "SELECT * FROM users WHERE id = $id");
$page = intval($_GET['page'] ?? 1);
mysqli_query($link, 'SELECT * FROM users LIMIT ' . $page);

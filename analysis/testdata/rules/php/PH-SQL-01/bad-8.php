<?php

$pdo = new PDO('sqlite:shop.db');
$rows = $pdo->query($_GET['statement']); // ← here

<?php
$pages = ['home' => 'home.php', 'shop' => 'shop.php'];
include $pages[$_GET['page']] ?? 'home.php';

<?php
$page = $_GET['page'];
switch ($page) {
    case 'home':
    case 'shop':
        include "pages/$page.php";
        break;
    default:
        include 'pages/home.php';
}

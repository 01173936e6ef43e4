<?php
$next = $_GET['next'];
if (!preg_match('#^/[a-z]+$#', $next)) {
    $next = '/';
}
header("Location: $next");

<?php
$name = trim($_COOKIE['name']);
if ($name !== '') {
    printf('<b>%s</b>', $name); // ← here
}

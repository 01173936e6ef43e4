<?php
$host = parse_url($_GET['url'], PHP_URL_HOST);
if (!in_array($host, ['images.example.com'], true)) {
    exit;
}
file_get_contents($_GET['url']);

<?php
$path = realpath('files/' . $_GET['file']);
if ($path === false || strpos($path, '/srv/files/') !== 0) {
    exit;
}
readfile($path);

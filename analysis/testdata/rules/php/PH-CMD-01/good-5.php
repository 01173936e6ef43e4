<?php
if (!preg_match('/^[a-z0-9.]+$/', $_GET['host'])) {
    die('no');
}
system('ping -c 1 ' . $_GET['host']);

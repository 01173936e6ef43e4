<?php
$pages = ['home' => '/', 'shop' => '/shop'];
header('Location: ' . ($pages[$_GET['next']] ?? '/'));

<?php
use MongoDB\Client;
$filter = ['token' => $_GET['token']];
$db->sessions->find($filter); // ← here

<?php
use MongoDB\Client;
$users = (new Client())->shop->users;
$user = $users->findOne(['name' => $_POST['name'], 'password' => $_POST['password']]); // ← here

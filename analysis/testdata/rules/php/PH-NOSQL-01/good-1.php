<?php
use MongoDB\Client;
$db->users->findOne(['name' => (string) $_POST['name']]);

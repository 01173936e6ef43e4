<?php
use MongoDB\Client;
$db->users->findOne(['age' => (int) $_POST['age']]);

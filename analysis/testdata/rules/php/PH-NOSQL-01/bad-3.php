<?php
use MongoDB\Client;
$db->users->deleteMany(['mail' => $_REQUEST['mail']]); // ← here

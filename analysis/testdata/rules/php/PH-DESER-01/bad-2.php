<?php
$data = base64_decode($_POST['state']);
$state = unserialize($data, ['allowed_classes' => true]); // ← here

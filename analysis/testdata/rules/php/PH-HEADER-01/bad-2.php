<?php
$headers = "From: {$_POST['name']} <us@example.com>\r\n";
$headers .= 'Content-Type: text/plain';
mail('us@example.com', 'Hello', 'text', $headers); // ← here

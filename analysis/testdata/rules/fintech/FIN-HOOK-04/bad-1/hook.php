<?php
$signature = $_SERVER['HTTP_X_PAYSTACK_SIGNATURE'];
if ($signature !== hash_hmac('sha512', file_get_contents('php://input'), SECRET)) exit(); // ← here

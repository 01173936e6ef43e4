<?php
$input = file_get_contents('php://input');
$expected = hash_hmac('sha512', $input, getenv('KEY'));
if ($expected == $_SERVER['HTTP_X_PAYSTACK_SIGNATURE']) { credit($input); } // ← here

<?php
$expected = hash_hmac('sha512', file_get_contents('php://input'), getenv('KEY'));
if (!hash_equals($expected, $_SERVER['HTTP_X_PAYSTACK_SIGNATURE'])) exit();

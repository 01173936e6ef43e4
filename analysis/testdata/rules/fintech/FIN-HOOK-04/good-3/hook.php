<?php
$expected = hash_hmac('sha512', $input, getenv('KEY'));
if ($expected === null) exit();

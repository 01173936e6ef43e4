<?php
$delay = mt_rand(1, 10);
$name = uniqid('file_');

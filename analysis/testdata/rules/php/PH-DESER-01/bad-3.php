<?php
$state = unserialize(file_get_contents('php://input')); // ← here

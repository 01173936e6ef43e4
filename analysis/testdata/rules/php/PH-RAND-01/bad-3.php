<?php
$user->reset_code = rand(100000, 999999); // ← here

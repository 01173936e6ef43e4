<?php
$hash = sha1($salt . $password); // ← here

<?php
$hash = hash('sha256', $user->password); // ← here

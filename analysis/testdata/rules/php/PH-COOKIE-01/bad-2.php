<?php
setcookie('auth_token', $token, ['expires' => 0, 'secure' => true, 'httponly' => false]); // ← here

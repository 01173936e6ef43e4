<?php
setcookie('session', $id, ['secure' => true, 'httponly' => true]);

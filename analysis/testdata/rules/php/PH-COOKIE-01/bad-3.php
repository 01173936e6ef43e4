<?php
setcookie('remember', $token, 0, '/', '', false, true); // ← here

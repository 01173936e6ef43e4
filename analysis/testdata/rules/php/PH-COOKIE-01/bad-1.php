<?php
setcookie('session', $id, time() + 3600, '/'); // ← here

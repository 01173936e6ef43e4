<?php
setcookie('theme', $theme, time() + 3600);
setcookie('session', $id, 0, '/', '', true, true);

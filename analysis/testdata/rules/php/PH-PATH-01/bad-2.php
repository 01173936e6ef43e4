<?php
$name = urldecode($_GET['name']);
unlink("/srv/uploads/$name"); // ← here

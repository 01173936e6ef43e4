<?php
$next = $_REQUEST['return'] ?? '/';
header("Location: $next"); // ← here
exit;

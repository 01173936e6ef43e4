<?php
$page = $_REQUEST['page'] ?? 'home';
require_once "pages/$page.php"; // ← here

<?php
$action = $_REQUEST['action'];
$action(); // ← here

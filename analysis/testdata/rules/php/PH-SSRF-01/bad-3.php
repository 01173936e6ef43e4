<?php
$host = $_GET['host'];
$answer = wp_remote_get("https://$host/status"); // ← here

<?php
$users = $xml->xpath("//user[name='" . $_GET['name'] . "']"); // ← here

<?php
$name = trim($_POST['name']);
$xpath = new DOMXPath($document);
$found = $xpath->evaluate("string(//user[name='$name']/mail)"); // ← here

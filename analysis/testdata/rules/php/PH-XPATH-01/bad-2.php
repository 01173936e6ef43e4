<?php
$xpath = new DOMXPath($document);
$xpath->query("//user[@id='{$_POST['id']}']"); // ← here

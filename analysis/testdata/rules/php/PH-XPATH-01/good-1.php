<?php
$id = (int) $_GET['id'];
$xml->xpath("//user[@id=$id]");

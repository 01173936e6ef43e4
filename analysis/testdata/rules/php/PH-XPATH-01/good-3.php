<?php
if (!ctype_alnum($_GET['name'])) {
    exit;
}
$xml->xpath("//user[name='" . $_GET['name'] . "']");

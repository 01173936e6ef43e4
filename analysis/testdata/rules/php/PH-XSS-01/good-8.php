<?php
function name() {
    $name = 'fixed';
    return $name;
}
$name = $_GET['name'];
echo name();

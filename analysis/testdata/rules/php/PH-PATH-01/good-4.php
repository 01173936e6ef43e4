<?php
if (strpos($_GET['file'], '..') !== false) {
    die('no');
}
readfile('files/' . $_GET['file']);

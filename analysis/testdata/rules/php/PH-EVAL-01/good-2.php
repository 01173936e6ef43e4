<?php
assert($count > 0);
$out = preg_replace('/(\w+)/i', 'x', $_GET['text']);

<?php
$out = preg_replace('/(\w+)/e', 'strtoupper("$1")', $text); // ← here

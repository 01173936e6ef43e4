<?php
$double = fn ($x) => $x * 2;
echo count(array_map($double, [1, 2]));

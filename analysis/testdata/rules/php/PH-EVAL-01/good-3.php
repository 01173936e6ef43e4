<?php
$formula = intval($_GET['formula']);
eval("return $formula * 2;");

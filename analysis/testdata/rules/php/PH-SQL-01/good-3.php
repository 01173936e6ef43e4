<?php
$name = mysqli_real_escape_string($link, $_GET['name']);
mysqli_query($link, "SELECT * FROM users WHERE name = '$name'");

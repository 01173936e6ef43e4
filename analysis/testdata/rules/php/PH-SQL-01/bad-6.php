<?php
$id = mysqli_real_escape_string($link, $_POST['id']);
mysqli_query($link, "SELECT * FROM users WHERE id = $id"); // ← here

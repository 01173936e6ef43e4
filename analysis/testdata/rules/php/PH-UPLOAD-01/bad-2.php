<?php
$file = $_FILES['photo'];
$target = __DIR__ . '/uploads/' . basename($file['name']);
move_uploaded_file($file['tmp_name'], $target); // ← here

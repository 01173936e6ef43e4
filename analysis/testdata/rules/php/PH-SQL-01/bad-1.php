<?php
$id = $_GET['id'];
$result = mysqli_query($link, "SELECT * FROM users WHERE id = '$id'"); // ← here

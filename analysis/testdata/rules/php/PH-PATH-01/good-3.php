<?php
$id = (int) $_POST['id'];
file_put_contents("data/$id.json", $_POST['body']);

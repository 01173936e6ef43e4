<?php
$ending = strtolower(pathinfo($_FILES['file']['name'], PATHINFO_EXTENSION));
if (!in_array($ending, ['jpg', 'png'], true)) {
    die('no');
}
move_uploaded_file($_FILES['file']['tmp_name'], 'uploads/' . uniqid() . ".$ending");

<?php
function convert($file) {
    exec("convert $file out.png", $output); // ← here
}
convert($_FILES['image']['name']);

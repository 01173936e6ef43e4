<?php
function fetch(string $url) {
    return file_get_contents($url);
}

<?php
function generatePassword($length) {
    $out = '';
    for ($i = 0; $i < $length; $i++) {
        $out .= chr(mt_rand(97, 122)); // ← here
    }
    return $out;
}

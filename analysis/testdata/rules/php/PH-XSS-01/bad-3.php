<?php
function title($text) {
    print "<h1>$text</h1>"; // ← here
}
title($_POST['title']);

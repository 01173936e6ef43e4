<?php
$from = str_replace(["\r", "\n"], '', $_POST['mail']);
mail('us@example.com', 'Hello', 'text', "From: $from");

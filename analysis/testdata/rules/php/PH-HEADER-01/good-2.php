<?php
$from = filter_var($_POST['mail'], FILTER_VALIDATE_EMAIL);
mail('us@example.com', 'Hello', 'text', "From: $from");

<?php
mail('us@example.com', 'Hello', $text, 'From: ' . $_POST['mail']); // ← here

<?php
mail('us@example.com', 'Hello', $_POST['text'], 'From: us@example.com');

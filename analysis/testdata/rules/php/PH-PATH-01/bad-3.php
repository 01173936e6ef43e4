<?php
file_put_contents('data/' . $_POST['id'] . '.json', $_POST['body']); // ← here

<?php
file_get_contents('https://api.example.com/v1/' . urlencode($_GET['name']));

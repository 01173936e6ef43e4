<?php
file_get_contents('https://api.example.com/users/' . $_GET['id']);

<?php
$port = (int) $_GET['port'];
exec("lsof -i :$port");

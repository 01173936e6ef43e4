<?php
$input = $_POST;
extract($input); // ← here

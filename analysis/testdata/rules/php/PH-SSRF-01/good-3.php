<?php
$hosts = ['eu' => 'https://eu.example.com', 'ng' => 'https://ng.example.com'];
$curl = curl_init($hosts[$_GET['region']]);

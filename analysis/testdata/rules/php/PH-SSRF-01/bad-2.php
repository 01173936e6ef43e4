<?php
$curl = curl_init();
curl_setopt($curl, CURLOPT_URL, $_POST['address']); // ← here
curl_exec($curl);

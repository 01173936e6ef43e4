<?php
curl_setopt_array($curl, [
    CURLOPT_URL => 'https://example.com',
    CURLOPT_SSL_VERIFYPEER => false, // ← here
]);

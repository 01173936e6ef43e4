<?php
curl_setopt($curl, CURLOPT_SSL_VERIFYHOST, 0); // ← here

<?php
curl_setopt($curl, CURLOPT_SSL_VERIFYPEER, true);

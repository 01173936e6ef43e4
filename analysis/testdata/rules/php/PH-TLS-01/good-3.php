<?php
curl_setopt($curl, CURLOPT_RETURNTRANSFER, 1);

<?php
openssl_encrypt($text, 'AES-128-ECB', $key); // ← here

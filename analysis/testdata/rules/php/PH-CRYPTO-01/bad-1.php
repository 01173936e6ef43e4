<?php
openssl_encrypt($text, 'des-ede3-cbc', $key); // ← here

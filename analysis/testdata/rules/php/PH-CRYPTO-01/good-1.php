<?php
openssl_encrypt($text, 'aes-256-gcm', $key, 0, $nonce, $tag);

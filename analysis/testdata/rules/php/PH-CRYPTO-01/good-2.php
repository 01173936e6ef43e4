<?php
openssl_encrypt($text, $method, $key);

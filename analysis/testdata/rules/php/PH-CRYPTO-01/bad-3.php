<?php
const METHOD = 'rc4';
openssl_decrypt($text, METHOD, $key); // ← here

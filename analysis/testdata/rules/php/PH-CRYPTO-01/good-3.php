<?php
sodium_crypto_secretbox($text, $nonce, $key);

<?php
if ($_SERVER['HTTP_VERIF_HASH'] !== 'shop-hash-9') exit(); // ← here

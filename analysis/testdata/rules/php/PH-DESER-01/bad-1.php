<?php
$cart = unserialize($_COOKIE['cart']); // ← here

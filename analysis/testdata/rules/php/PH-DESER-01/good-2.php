<?php
$cart = json_decode($_COOKIE['cart'], true);

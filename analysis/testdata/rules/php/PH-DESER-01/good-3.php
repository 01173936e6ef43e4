<?php
$cart = unserialize(file_get_contents('/var/cache/cart'));

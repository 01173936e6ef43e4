<?php
$banner = $banners[array_rand($banners)];

<?php
require __DIR__ . '/config.php';

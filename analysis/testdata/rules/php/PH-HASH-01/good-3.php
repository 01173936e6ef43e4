<?php
$hash = hash('sha256', $token);

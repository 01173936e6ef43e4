<?php
header('Location: ' . $_SERVER['PHP_SELF']);

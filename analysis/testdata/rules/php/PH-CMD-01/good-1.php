<?php
system('ping -c 1 ' . escapeshellarg($_GET['host']));

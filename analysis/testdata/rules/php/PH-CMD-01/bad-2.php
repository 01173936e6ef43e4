<?php
echo `nslookup {$_POST['domain']}`; // ← here

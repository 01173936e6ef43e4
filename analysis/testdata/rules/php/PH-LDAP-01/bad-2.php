<?php
$filter = "(&(objectClass=user)(mail={$_GET['mail']}))";
$found = ldap_search($ldap, $base, $filter); // ← here

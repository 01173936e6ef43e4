<?php
$id = (int) $_GET['id'];
ldap_search($ldap, 'dc=example', "(uidNumber=$id)");

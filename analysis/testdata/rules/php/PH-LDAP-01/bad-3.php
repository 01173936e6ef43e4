<?php
ldap_list($ldap, 'ou=' . $_GET['unit'] . ',dc=example', '(cn=*)'); // ← here

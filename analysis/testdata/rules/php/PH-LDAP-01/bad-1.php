<?php
ldap_search($ldap, 'dc=example', '(uid=' . $_POST['user'] . ')'); // ← here

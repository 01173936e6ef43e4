<?php
ldap_search($ldap, 'dc=example', '(uid=' . ldap_escape($_POST['user'], '', LDAP_ESCAPE_FILTER) . ')');

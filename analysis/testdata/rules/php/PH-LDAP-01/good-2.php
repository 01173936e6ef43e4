<?php
ldap_search($ldap, 'dc=example', '(uid=admin)');

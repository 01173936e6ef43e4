<?php
$tag = md5($body);
$key = sha1($passenger . $bypass);

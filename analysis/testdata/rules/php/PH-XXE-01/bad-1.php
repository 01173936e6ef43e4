<?php
$xml = simplexml_load_string($_POST['xml'], 'SimpleXMLElement', LIBXML_NOENT); // ← here

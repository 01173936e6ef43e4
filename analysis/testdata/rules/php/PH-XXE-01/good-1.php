<?php
$xml = simplexml_load_string($_POST['xml']);

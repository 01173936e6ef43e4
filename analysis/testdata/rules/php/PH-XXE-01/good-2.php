<?php
$document->loadXML($_POST['xml'], LIBXML_NONET);

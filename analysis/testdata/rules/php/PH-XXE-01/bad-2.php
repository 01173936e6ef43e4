<?php
$document = new DOMDocument();
$document->loadXML(file_get_contents('php://input'), LIBXML_NOENT | LIBXML_DTDLOAD); // ← here

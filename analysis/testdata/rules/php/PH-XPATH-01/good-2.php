<?php
$xml->xpath('//user');

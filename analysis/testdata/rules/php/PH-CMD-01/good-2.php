<?php
use Symfony\Component\Process\Process;
$process = new Process(['git', 'log', $_GET['branch']]);

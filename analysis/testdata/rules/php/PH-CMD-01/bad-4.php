<?php
use Symfony\Component\Process\Process;
$process = Process::fromShellCommandline('git log ' . $_GET['branch']); // ← here

<?php
$tools = ['git' => 'git --version', 'php' => 'php -v'];
if (!isset($tools[$_GET['tool']])) {
    exit;
}
system($tools[$_GET['tool']]);

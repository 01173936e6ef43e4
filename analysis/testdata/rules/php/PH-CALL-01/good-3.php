<?php
$action = 'action_' . $_GET['action'];
if (function_exists($action)) {
    $action();
}

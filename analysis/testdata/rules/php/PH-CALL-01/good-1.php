<?php
$actions = ['list' => 'showList', 'edit' => 'showForm'];
call_user_func($actions[$_GET['action']] ?? 'showList');

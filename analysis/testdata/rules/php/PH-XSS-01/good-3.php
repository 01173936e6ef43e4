<?php
echo (int) $_GET['page'];
echo intval($_GET['page']) + 1;
echo $_GET['page'] + 1;
echo count($_POST['items']);

<?php
echo 'Hello ' . htmlspecialchars($_GET['name'], ENT_QUOTES);

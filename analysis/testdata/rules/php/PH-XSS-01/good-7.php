<?php
echo isset($_GET['x']) ? 'yes' : 'no';
echo $_GET['x'] === 'a' ? 'A' : 'B';

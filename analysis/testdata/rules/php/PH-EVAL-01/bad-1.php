<?php
eval('$result = ' . $_GET['formula'] . ';'); // ← here

<form action="<?php echo $_SERVER['PHP_SELF']; ?>"> <!-- ← here -->

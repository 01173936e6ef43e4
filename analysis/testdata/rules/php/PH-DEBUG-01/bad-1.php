<?php
phpinfo(); // ← here

<?php
wp_redirect($_GET['redirect_to']); // ← here

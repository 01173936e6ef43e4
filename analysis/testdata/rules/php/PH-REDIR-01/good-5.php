<?php
wp_safe_redirect($_GET['redirect_to']);

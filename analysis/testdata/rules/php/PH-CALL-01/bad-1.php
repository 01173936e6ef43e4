<?php
call_user_func($_GET['action']); // ← here

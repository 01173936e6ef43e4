<?php
setcookie('session', '', time() - 3600);

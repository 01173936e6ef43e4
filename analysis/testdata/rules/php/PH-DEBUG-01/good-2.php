<?php
if (getenv('APP_ENV') === 'dev') {
    ini_set('display_errors', '1');
}
